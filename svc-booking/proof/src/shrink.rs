//! Shrinks a failing plan by removing steps, clients and kills that the fault does not need.

use crate::plan::Plan;

/// Returns the smallest failing plan found within `tries` runs. Runs are concurrent, so a plan that passed once may
/// fail in another run. The returned plan has failed at least once, unless it is `plan` itself.
pub async fn shrink(plan: Plan, tries: usize, mut fails: impl AsyncFnMut(&Plan) -> bool) -> Plan {
    let mut best = plan;
    let mut left = tries;
    loop {
        let before = best.clone();
        for smaller in candidates(&before) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if fails(&smaller).await {
                best = smaller;
                break;
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Returns smaller variants of a plan, the largest reduction first.
fn candidates(plan: &Plan) -> Vec<Plan> {
    let mut found = Vec::new();
    if !plan.kills_ms.is_empty() {
        found.push(Plan {
            kills_ms: Vec::new(),
            ..plan.clone()
        });
    }
    let clients = plan.clients.len();
    if clients > 2 {
        for half in [0..clients / 2, clients / 2..clients] {
            found.push(Plan {
                clients: plan.clients[half].to_vec(),
                ..plan.clone()
            });
        }
    }
    if clients > 1 {
        for left_out in 0..clients {
            let mut smaller = plan.clone();
            smaller.clients.remove(left_out);
            found.push(smaller);
        }
    }
    for parts in [2, 4, 8] {
        for part in 0..parts {
            let mut smaller = plan.clone();
            for steps in &mut smaller.clients {
                let (from, until) = (steps.len() * part / parts, steps.len() * (part + 1) / parts);
                steps.drain(from..until);
            }
            if smaller.steps() < plan.steps() {
                found.push(smaller);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Act;

    #[tokio::test]
    async fn shrinking_drops_steps_that_a_finding_does_not_need() {
        let plan = Plan::new(7, 8, 40);
        let has = |plan: &Plan, act| plan.clients.iter().flatten().any(|step| step.act == act);
        assert!(has(&plan, Act::Move) && has(&plan, Act::Leave));
        let small = shrink(plan, 500, async |plan: &Plan| {
            has(plan, Act::Move) && has(plan, Act::Leave)
        })
        .await;
        assert!(small.kills_ms.is_empty());
        assert!(small.steps() <= 10, "{} steps", small.steps());
        assert!(has(&small, Act::Move) && has(&small, Act::Leave));
    }

    #[test]
    fn a_seed_reproduces_its_plan() {
        assert_eq!(Plan::new(3, 4, 9), Plan::new(3, 4, 9));
        assert_ne!(Plan::new(3, 4, 9), Plan::new(4, 4, 9));
    }
}

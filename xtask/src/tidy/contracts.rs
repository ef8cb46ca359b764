//! The contract folder: each contract names its owner, and the crate contains no hand-written logic.

use super::SourceFile;

pub(crate) fn check(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .flat_map(|file| {
            if file.path.starts_with("proto/hospital/") {
                header(file)
            } else if file.path.starts_with("proto/src/") {
                generated_only(file)
            } else {
                Vec::new()
            }
        })
        .collect()
}

/// Checks that a contract opens with `// Contract: <package>` and `// Owner: <team>`, and declares this package.
fn header(file: &SourceFile) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = file.text.lines();
    let contract = lines
        .next()
        .and_then(|line| line.strip_prefix("// Contract: "));
    let owner = lines
        .next()
        .and_then(|line| line.strip_prefix("// Owner: "));
    let package = file
        .text
        .lines()
        .find_map(|line| line.strip_prefix("package ")?.strip_suffix(';'));
    if contract.is_none() || contract != package {
        found.push(format!(
            "{}: the first line is not `// Contract: {}`",
            file.path,
            package.unwrap_or("<package>")
        ));
    }
    if owner.is_none_or(|owner| owner.trim().is_empty()) {
        found.push(format!(
            "{}: the second line is not `// Owner: <team>`",
            file.path
        ));
    }
    found
}

fn generated_only(file: &SourceFile) -> Vec<String> {
    let by_hand = ["fn ", "impl ", "struct ", "enum ", "macro_rules!"];
    let lines = file
        .text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"));
    let logic = lines.filter(|line| by_hand.iter().any(|word| line.contains(word)));
    logic
        .map(|line| {
            format!(
                "{}: hand-written logic in the contract crate: {line}",
                file.path
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&[SourceFile::new(path, text)]).len()
    }

    #[test]
    fn a_contract_names_itself_and_its_owner() {
        let path = "proto/hospital/booking/v1/booking.proto";
        let good = "// Contract: hospital.booking.v1\n// Owner: team booking\nsyntax = \"proto3\";\npackage hospital.booking.v1;\n";
        assert_eq!(problems(path, good), 0);
        assert_eq!(
            problems(path, &good.replace("// Owner: team booking\n", "")),
            1
        );
        assert_eq!(
            problems(path, &good.replace("// Owner: team booking", "// Owner: ")),
            1
        );
        assert_eq!(
            problems(
                path,
                &good.replace("Contract: hospital.booking", "Contract: hospital.content")
            ),
            1
        );
        assert_eq!(
            problems(path, "syntax = \"proto3\";\npackage hospital.booking.v1;\n"),
            2
        );
    }

    #[test]
    fn logic_in_the_contract_crate_is_found() {
        assert_eq!(
            problems(
                "proto/src/lib.rs",
                "pub mod a { include!(\"a.rs\"); }\n// fn in a comment\n"
            ),
            0
        );
        assert_eq!(problems("proto/src/lib.rs", "pub fn helper() {}\n"), 1);
    }
}

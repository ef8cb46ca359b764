//! Parser of surgeries.toml.

use std::collections::HashSet;

use hospital_proto::content::v1::{
    Insurance, PriceRange, RecoveryStep, Surgery, SurgeryCost, SurgeryPackage,
};
use serde::Deserialize;
use toml::Spanned;

use super::{
    ContentError, Examined, SURGERIES_FILE, Sources,
    care::{QuestionRecord, questions},
    texts,
};
use crate::{
    slug,
    values::{Day, ImagePath, Line, Slug},
};

/// Highest plausible price, in rupees. A larger one has too many zeros.
const PRICE_RUPEES_MAX: i32 = 2_000_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurgeriesFile {
    insurance: InsuranceRecord,
    surgery: Vec<SurgeryRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurgeryRecord {
    id: Spanned<u8>,
    slug: Spanned<Slug>,
    name: Line<80>,
    description: Line<400>,
    about: Vec<Line<2000>>,
    indications: Vec<Line<200>>,
    procedure: Vec<Line<300>>,
    benefits: Vec<Line<200>>,
    faqs: Vec<QuestionRecord>,
    image: ImagePath,
    banner: ImagePath,
    duration: Line<40>,
    recovery: Line<40>,
    stay: Line<40>,
    /// Time until desk work.
    back_to_work: Line<40>,
    cost: CostRecord,
    recovery_steps: Spanned<Vec<RecoveryRecord>>,
    /// Id of the doctor who operates, and whom patients consult.
    doctor: Spanned<Slug>,
    /// Search terms, in addition to the words of its texts.
    search_terms: Vec<Line<60>>,
    /// Day on which a doctor last reviewed the text. Not served: the checklist of the desk shows it.
    #[serde(default, rename = "reviewed")]
    _reviewed: Option<Day>,
}

/// What is the same for every surgery.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InsuranceRecord {
    approval: Line<200>,
    steps: Vec<Line<300>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostRecord {
    packages: Spanned<Vec<PackageRecord>>,
    included: Spanned<Vec<Line<200>>>,
    excluded: Spanned<Vec<Line<200>>>,
    /// What raises or lowers the price.
    changes: Spanned<Vec<Line<200>>>,
    /// Rules of most policies for this surgery.
    insurance: Line<600>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackageRecord {
    name: Line<80>,
    description: Line<200>,
    from_rupees: Spanned<i32>,
    to_rupees: Spanned<i32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecoveryRecord {
    time: Line<30>,
    title: Line<80>,
    text: Line<400>,
}

impl SurgeryRecord {
    /// Returns the lowest and the highest price of the packages.
    fn price(&self) -> PriceRange {
        let packages = self
            .cost
            .packages
            .get_ref()
            .iter()
            .map(PackageRecord::price);
        packages
            .reduce(|all, price| PriceRange {
                from_rupees: all.from_rupees.min(price.from_rupees),
                to_rupees: all.to_rupees.max(price.to_rupees),
            })
            .unwrap_or_default()
    }

    fn into_surgery(self, insurance: &InsuranceRecord) -> Surgery {
        let price = self.price();
        Surgery {
            id: self.id.into_inner().to_string(),
            slug: self.slug.into_inner().into(),
            name: self.name.into(),
            description: self.description.into(),
            image: self.image.into(),
            picture: None,
            banner: self.banner.into(),
            banner_picture: None,
            duration: self.duration.into(),
            recovery: self.recovery.into(),
            about: texts(self.about),
            indications: texts(self.indications),
            procedure: texts(self.procedure),
            benefits: texts(self.benefits),
            faqs: questions(self.faqs),
            doctor_id: self.doctor.into_inner().into(),
            stay: self.stay.into(),
            back_to_work: self.back_to_work.into(),
            price: Some(price),
            cost: Some(self.cost.into_cost(insurance)),
            recovery_steps: self
                .recovery_steps
                .into_inner()
                .into_iter()
                .map(Into::into)
                .collect(),
        }
    }
}

impl CostRecord {
    fn into_cost(self, insurance: &InsuranceRecord) -> SurgeryCost {
        let packages = self.packages.into_inner().into_iter();
        SurgeryCost {
            packages: packages.map(Into::into).collect(),
            included: texts(self.included.into_inner()),
            excluded: texts(self.excluded.into_inner()),
            changes: texts(self.changes.into_inner()),
            insurance: Some(Insurance {
                cover: self.insurance.into(),
                approval: insurance.approval.to_string(),
                steps: insurance.steps.iter().map(ToString::to_string).collect(),
            }),
        }
    }
}

impl PackageRecord {
    fn price(&self) -> PriceRange {
        PriceRange {
            from_rupees: *self.from_rupees.get_ref(),
            to_rupees: *self.to_rupees.get_ref(),
        }
    }
}

impl From<PackageRecord> for SurgeryPackage {
    fn from(record: PackageRecord) -> Self {
        Self {
            price: Some(record.price()),
            name: record.name.into(),
            description: record.description.into(),
        }
    }
}

impl From<RecoveryRecord> for RecoveryStep {
    fn from(record: RecoveryRecord) -> Self {
        Self {
            time: record.time.into(),
            title: record.title.into(),
            text: record.text.into(),
        }
    }
}

/// A surgery and its search terms.
pub(crate) type SurgeryWithTerms = (Surgery, Vec<String>);

/// Parses the surgeries. `doctors` are the ids of doctors who take new patients.
pub(crate) fn parse_surgeries(
    sources: &Sources,
    doctors: &HashSet<String>,
) -> Result<Vec<SurgeryWithTerms>, ContentError> {
    let examined = sources.examined(SURGERIES_FILE);
    let SurgeriesFile {
        insurance,
        surgery: surgeries,
    } = examined.parse()?;
    examined.unique("surgery", "id", surgeries.iter().map(|record| &record.id))?;
    examined.unique(
        "surgery",
        "slug",
        surgeries.iter().map(|record| &record.slug),
    )?;
    for (index, record) in surgeries.iter().enumerate() {
        let path = format!("surgery[{index}]");
        if !(1..=10).contains(record.id.get_ref()) {
            return Err(examined.broken_at(&record.id, format!("{path}.id"), "must be 1 to 10"));
        }
        let by_name = slug::surgery_slug(record.name.as_ref());
        if record.slug.get_ref().as_ref() != by_name {
            let problem = format!("must be the slug of the name, `{by_name}`");
            return Err(examined.broken_at(&record.slug, format!("{path}.slug"), problem));
        }
        if !doctors.contains(record.doctor.get_ref().as_ref()) {
            let problem = format!("`{}` takes no new patients", record.doctor.get_ref());
            return Err(examined.broken_at(&record.doctor, format!("{path}.doctor"), problem));
        }
        filled(
            &examined,
            &format!("{path}.recovery_steps"),
            &record.recovery_steps,
        )?;
        examine_cost(&examined, &format!("{path}.cost"), &record.cost)?;
    }
    let with_terms = |mut record: SurgeryRecord| {
        let terms = texts(std::mem::take(&mut record.search_terms));
        (record.into_surgery(&insurance), terms)
    };
    Ok(surgeries.into_iter().map(with_terms).collect())
}

/// Refuses empty lists, and prices that are out of order or implausible.
fn examine_cost(
    examined: &Examined<'_>,
    path: &str,
    cost: &CostRecord,
) -> Result<(), ContentError> {
    filled(examined, &format!("{path}.packages"), &cost.packages)?;
    for (name, list) in [
        ("included", &cost.included),
        ("excluded", &cost.excluded),
        ("changes", &cost.changes),
    ] {
        filled(examined, &format!("{path}.{name}"), list)?;
    }
    let mut lowest = 1;
    for (index, package) in cost.packages.get_ref().iter().enumerate() {
        let path = format!("{path}.packages[{index}]");
        let PriceRange {
            from_rupees,
            to_rupees,
        } = package.price();
        if from_rupees < lowest {
            let problem =
                format!("must be at least {lowest}: packages are in the order of their prices");
            return Err(examined.broken_at(
                &package.from_rupees,
                format!("{path}.from_rupees"),
                problem,
            ));
        }
        if to_rupees <= from_rupees || to_rupees > PRICE_RUPEES_MAX {
            let problem = format!("must be more than from_rupees and at most {PRICE_RUPEES_MAX}");
            return Err(examined.broken_at(
                &package.to_rupees,
                format!("{path}.to_rupees"),
                problem,
            ));
        }
        lowest = from_rupees;
    }
    Ok(())
}

fn filled<T>(
    examined: &Examined<'_>,
    path: &str,
    list: &Spanned<Vec<T>>,
) -> Result<(), ContentError> {
    if list.get_ref().is_empty() {
        return Err(examined.broken_at(list, path.to_owned(), "must not be empty"));
    }
    Ok(())
}

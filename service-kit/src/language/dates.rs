//! Dates and times in each language, as pages show them (`web-kit/page/src/format.ts`).

use chrono::{Datelike as _, NaiveDate, NaiveTime, Timelike as _};

use super::Language;

/// Names by language. Weekdays begin on Sunday.
struct Words {
    weekdays: [&'static str; 7],
    /// For text messages.
    short_weekdays: [&'static str; 7],
    months: [&'static str; 12],
    /// Text before a time of each part of the day: from 0, 4, 6, 12, 16 and 19 o'clock.
    before: [&'static str; 6],
    /// Text after a time.
    after: &'static str,
}

const KANNADA: Words = Words {
    weekdays: [
        "ಭಾನುವಾರ",
        "ಸೋಮವಾರ",
        "ಮಂಗಳವಾರ",
        "ಬುಧವಾರ",
        "ಗುರುವಾರ",
        "ಶುಕ್ರವಾರ",
        "ಶನಿವಾರ",
    ],
    short_weekdays: ["ಭಾನು", "ಸೋಮ", "ಮಂಗಳ", "ಬುಧ", "ಗುರು", "ಶುಕ್ರ", "ಶನಿ"],
    months: [
        "ಜನವರಿ",
        "ಫೆಬ್ರವರಿ",
        "ಮಾರ್ಚ್",
        "ಏಪ್ರಿಲ್",
        "ಮೇ",
        "ಜೂನ್",
        "ಜುಲೈ",
        "ಆಗಸ್ಟ್",
        "ಸೆಪ್ಟೆಂಬರ್",
        "ಅಕ್ಟೋಬರ್",
        "ನವೆಂಬರ್",
        "ಡಿಸೆಂಬರ್",
    ],
    before: ["ರಾತ್ರಿ ", "ಬೆಳಗಿನ ಜಾವ ", "ಬೆಳಿಗ್ಗೆ ", "ಮಧ್ಯಾಹ್ನ ", "ಸಂಜೆ ", "ರಾತ್ರಿ "],
    after: "",
};

const HINDI: Words = Words {
    weekdays: [
        "रविवार",
        "सोमवार",
        "मंगलवार",
        "बुधवार",
        "गुरुवार",
        "शुक्रवार",
        "शनिवार",
    ],
    short_weekdays: ["रवि", "सोम", "मंगल", "बुध", "गुरु", "शुक्र", "शनि"],
    months: [
        "जनवरी",
        "फ़रवरी",
        "मार्च",
        "अप्रैल",
        "मई",
        "जून",
        "जुलाई",
        "अगस्त",
        "सितंबर",
        "अक्टूबर",
        "नवंबर",
        "दिसंबर",
    ],
    before: ["रात ", "सुबह ", "सुबह ", "दोपहर ", "शाम ", "रात "],
    after: " बजे",
};

/// Hours at which the parts of the day begin.
const PARTS: [u32; 6] = [0, 4, 6, 12, 16, 19];

impl Language {
    fn words(self) -> &'static Words {
        match self {
            Self::Kannada => &KANNADA,
            Self::Hindi => &HINDI,
        }
    }
}

/// Returns the item of an array; empty past its end, which no caller reaches.
fn at<const COUNT: usize>(words: &[&'static str; COUNT], index: u32) -> &'static str {
    let index = usize::try_from(index).ok();
    index.and_then(|index| words.get(index)).unwrap_or(&"")
}

/// Returns `Saturday`, `ಶನಿವಾರ` or `शनिवार`.
pub fn weekday(language: Option<Language>, date: NaiveDate) -> String {
    language.map_or_else(
        || date.format("%A").to_string(),
        |language| {
            let index = date.weekday().num_days_from_sunday();
            at(&language.words().weekdays, index).to_owned()
        },
    )
}

/// Returns `21 November 2026`, `21 ನವೆಂಬರ್ 2026` or `21 नवंबर 2026`.
pub fn day(language: Option<Language>, date: NaiveDate) -> String {
    language.map_or_else(
        || date.format("%-d %B %Y").to_string(),
        |language| {
            let month = at(&language.words().months, date.month0());
            format!("{} {month} {}", date.day(), date.year())
        },
    )
}

/// Returns `Saturday 21 November 2026`, `ಶನಿವಾರ 21 ನವೆಂಬರ್ 2026` or `शनिवार 21 नवंबर 2026`.
pub fn date(language: Option<Language>, date: NaiveDate) -> String {
    format!("{} {}", weekday(language, date), day(language, date))
}

/// Returns `Sat 21 Nov`, `ಶನಿ 21 ನವೆಂಬರ್` or `शनि 21 नवंबर`, for text messages.
pub fn short_date(language: Option<Language>, date: NaiveDate) -> String {
    language.map_or_else(
        || date.format("%a %-d %b").to_string(),
        |language| {
            let words = language.words();
            let weekday = at(&words.short_weekdays, date.weekday().num_days_from_sunday());
            let month = at(&words.months, date.month0());
            format!("{weekday} {} {month}", date.day())
        },
    )
}

/// Returns `3:30 PM`, `ಮಧ್ಯಾಹ್ನ 3:30` or `दोपहर 3:30 बजे`.
pub fn time(language: Option<Language>, time: NaiveTime) -> String {
    let clock = time.format("%-I:%M");
    language.map_or_else(
        || time.format("%-I:%M %p").to_string(),
        |language| {
            let words = language.words();
            let parts = PARTS.into_iter().zip(words.before);
            let part = parts.take_while(|(begin, _)| *begin <= time.hour()).last();
            let before = part.map_or("", |(_, before)| before);
            format!("{before}{clock}{}", words.after)
        },
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language::Catalogue;

    fn day_of(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    #[test]
    fn writes_dates_and_times_of_each_language() {
        let (english, kannada, hindi) = (None, Some(Language::Kannada), Some(Language::Hindi));
        let saturday = day_of("2026-11-21");
        assert_eq!(date(english, saturday), "Saturday 21 November 2026");
        assert_eq!(date(kannada, saturday), "ಶನಿವಾರ 21 ನವೆಂಬರ್ 2026");
        assert_eq!(date(hindi, saturday), "शनिवार 21 नवंबर 2026");
        assert_eq!(short_date(english, day_of("2026-03-01")), "Sun 1 Mar");
        assert_eq!(short_date(kannada, day_of("2026-03-01")), "ಭಾನು 1 ಮಾರ್ಚ್");
        assert_eq!(short_date(hindi, day_of("2026-03-01")), "रवि 1 मार्च");
        for (hour, minute, wanted) in [
            (0, 0, ["12:00 AM", "ರಾತ್ರಿ 12:00", "रात 12:00 बजे"]),
            (3, 59, ["3:59 AM", "ರಾತ್ರಿ 3:59", "रात 3:59 बजे"]),
            (4, 0, ["4:00 AM", "ಬೆಳಗಿನ ಜಾವ 4:00", "सुबह 4:00 बजे"]),
            (6, 0, ["6:00 AM", "ಬೆಳಿಗ್ಗೆ 6:00", "सुबह 6:00 बजे"]),
            (11, 59, ["11:59 AM", "ಬೆಳಿಗ್ಗೆ 11:59", "सुबह 11:59 बजे"]),
            (12, 0, ["12:00 PM", "ಮಧ್ಯಾಹ್ನ 12:00", "दोपहर 12:00 बजे"]),
            (16, 0, ["4:00 PM", "ಸಂಜೆ 4:00", "शाम 4:00 बजे"]),
            (19, 0, ["7:00 PM", "ರಾತ್ರಿ 7:00", "रात 7:00 बजे"]),
            (23, 30, ["11:30 PM", "ರಾತ್ರಿ 11:30", "रात 11:30 बजे"]),
        ] {
            let clock = NaiveTime::from_hms_opt(hour, minute, 0).expect("a time");
            let written = [english, kannada, hindi].map(|language| time(language, clock));
            assert_eq!(written, wanted);
        }
    }

    /// Mails and pages must show the same words.
    #[test]
    fn words_are_those_of_the_pages() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web-kit/page/messages");
        for language in Language::ALL {
            let file = folder.join(format!("{}.json", language.code()));
            let text = std::fs::read_to_string(&file).expect("the pages' catalogue");
            let pages = Catalogue::parse(&text).expect("a catalogue");
            let words = language.words();
            for (index, month) in (1..).zip(words.months) {
                let first = NaiveDate::from_ymd_opt(2026, index, 1).expect("a date");
                assert_eq!(pages.get(&first.format("%B").to_string()), Some(month));
            }
            // 1 November 2026 is a Sunday.
            for (index, weekday) in (1..).zip(words.weekdays) {
                let date = NaiveDate::from_ymd_opt(2026, 11, index).expect("a date");
                assert_eq!(pages.get(&date.format("%A").to_string()), Some(weekday));
            }
            let forms = words
                .before
                .map(|before| format!("; {before}%{}", words.after));
            assert_eq!(pages.get("##times"), Some(forms.concat().as_str()));
        }
    }
}

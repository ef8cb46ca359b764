//! Facts of the uploaded pictures that the content shows.

use std::collections::HashMap;

use hospital_proto::content::v1::{
    Blog, BlogLink, Doctor, Event, News, Picture, Promo, Review, Service, Specialty, Surgery,
};

/// Pictures that have forms, by hash.
pub(crate) type Pictures = HashMap<String, Picture>;

/// Returns the picture at an address; `None` for a file of the site.
fn at(pictures: &Pictures, address: &str) -> Option<Picture> {
    pictures.get(address.strip_prefix("/media/")?).cloned()
}

/// A message that shows pictures.
pub(crate) trait Pictured {
    /// Sets the facts of the uploaded pictures that it names.
    fn picture(&mut self, pictures: &Pictures);
}

macro_rules! pictured {
    ($($message:ident),+) => {$(
        impl Pictured for $message {
            fn picture(&mut self, pictures: &Pictures) {
                self.picture = at(pictures, &self.image);
            }
        }
    )+};
}

pictured!(BlogLink, Doctor, Event, Promo, Review, Service, Specialty);

impl Pictured for News {
    /// An attachment has no facts beside it, so it becomes the address of its widest form.
    fn picture(&mut self, pictures: &Pictures) {
        self.picture = at(pictures, &self.image);
        for attachment in &mut self.attachments {
            let picture = at(pictures, attachment);
            if let Some(width) = picture.and_then(|picture| picture.widths.into_iter().max()) {
                *attachment = format!("{attachment}-{width}.webp");
            }
        }
    }
}

impl Pictured for Surgery {
    fn picture(&mut self, pictures: &Pictures) {
        self.picture = at(pictures, &self.image);
        self.banner_picture = at(pictures, &self.banner);
    }
}

impl Pictured for Blog {
    fn picture(&mut self, pictures: &Pictures) {
        self.picture = at(pictures, &self.image);
        for section in &mut self.sections {
            section.picture = at(pictures, &section.image);
        }
        for link in self.related.iter_mut().chain(&mut self.popular) {
            link.picture(pictures);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attached_picture_of_news_is_its_widest_form() {
        let (known, absent) = ("/media/aa".to_owned(), "/media/bb".to_owned());
        let drawing = "/images/news/a.svg".to_owned();
        let picture = Picture {
            widths: vec![320, 640],
            ..Picture::default()
        };
        let pictures = Pictures::from([("aa".to_owned(), picture)]);
        let mut news = News {
            attachments: vec![known.clone(), absent.clone(), drawing.clone()],
            ..News::default()
        };
        // Content is shown again with changed pictures.
        for _ in 0..2 {
            news.picture(&pictures);
            let wanted = [&format!("{known}-640.webp"), &absent, &drawing];
            assert_eq!(news.attachments.iter().collect::<Vec<_>>(), wanted);
        }
    }
}

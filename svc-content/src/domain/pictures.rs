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

pictured!(
    BlogLink, Doctor, Event, News, Promo, Review, Service, Specialty
);

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

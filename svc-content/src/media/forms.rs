//! Forms of a picture: AVIF and WebP in several widths.

use ravif::{Img, RGB8, RGBA8};

use super::picture::{Picture, Pixels};

/// Widths of forms, ascending, in pixels. A picture is never enlarged.
pub const WIDTHS: [u32; 4] = [320, 640, 960, 1600];
/// Maximum size of a form. A form that exceeds it is encoded again in a lower quality.
pub const FORM_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Qualities of AVIF and WebP that are tried, best first. The first pair looks alike.
const QUALITIES: [(f32, f32); 3] = [(62.0, 80.0), (45.0, 60.0), (25.0, 30.0)];
/// Speed of the AVIF encoder, 1 to 10: the fastest, a smaller form is not worth minutes of a processor.
const SPEED: u8 = 10;

/// Format of a form, named by its file extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormFormat {
    Avif,
    WebP,
}

impl FormFormat {
    pub const ALL: [Self; 2] = [Self::Avif, Self::WebP];

    pub fn extension(self) -> &'static str {
        match self {
            Self::Avif => "avif",
            Self::WebP => "webp",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Avif => "image/avif",
            Self::WebP => "image/webp",
        }
    }
}

/// A form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormKey {
    pub width: u32,
    pub format: FormFormat,
}

impl FormKey {
    /// Parses a name such as `640.avif`. A form has one name.
    pub fn parse(name: &str) -> Option<Self> {
        let (width, extension) = name.split_once('.')?;
        let format = FormFormat::ALL
            .into_iter()
            .find(|format| format.extension() == extension)?;
        let key = Self {
            width: width.parse().ok()?,
            format,
        };
        (key.name() == name).then_some(key)
    }

    pub fn name(self) -> String {
        format!("{}.{}", self.width, self.format.extension())
    }
}

/// A form that could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    #[error("the stored picture cannot be read")]
    Unreadable,
    #[error("the AVIF encoder failed: {0}")]
    Avif(#[from] ravif::Error),
    #[error("the WebP encoder failed")]
    WebP,
    #[error("a form is larger than {FORM_BYTES_MAX} bytes in every quality")]
    TooLarge,
}

/// Returns the widths of the forms of a picture that is `width` pixels wide, ascending.
pub fn widths(width: u32) -> Vec<u32> {
    let smaller = WIDTHS.into_iter().filter(|known| *known < width);
    smaller.chain([width]).collect()
}

/// Encodes one form. Takes up to some seconds: call it on a blocking thread.
pub fn encode(picture: &Picture, key: FormKey) -> Result<Vec<u8>, FormError> {
    let small = picture
        .resized(key.width)
        .map_err(|_| FormError::Unreadable)?;
    for (avif, webp) in QUALITIES {
        let encoded = match key.format {
            FormFormat::Avif => avif_of(&small, avif)?,
            FormFormat::WebP => webp_of(&small, webp)?,
        };
        if encoded.len() <= FORM_BYTES_MAX {
            return Ok(encoded);
        }
    }
    Err(FormError::TooLarge)
}

fn avif_of(picture: &Picture, quality: f32) -> Result<Vec<u8>, ravif::Error> {
    let encoder = ravif::Encoder::new()
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(SPEED)
        .with_num_threads(Some(1));
    let (width, height) = (picture.width as usize, picture.height as usize);
    let form = match &picture.pixels {
        Pixels::Rgb(pixels) => {
            let (pixels, _) = pixels.as_chunks::<3>();
            let pixels: Vec<RGB8> = pixels.iter().map(|pixel| RGB8::from(*pixel)).collect();
            encoder.encode_rgb(Img::new(pixels.as_slice(), width, height))
        }
        Pixels::Rgba(pixels) => {
            let (pixels, _) = pixels.as_chunks::<4>();
            let pixels: Vec<RGBA8> = pixels.iter().map(|pixel| RGBA8::from(*pixel)).collect();
            encoder.encode_rgba(Img::new(pixels.as_slice(), width, height))
        }
    };
    form.map(|form| form.avif_file)
}

fn webp_of(picture: &Picture, quality: f32) -> Result<Vec<u8>, FormError> {
    let (width, height) = (picture.width, picture.height);
    let encoder = match &picture.pixels {
        Pixels::Rgb(pixels) => webp::Encoder::from_rgb(pixels, width, height),
        Pixels::Rgba(pixels) => webp::Encoder::from_rgba(pixels, width, height),
    };
    let form = encoder.encode_simple(false, quality);
    form.map(|form| form.to_vec()).map_err(|_| FormError::WebP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_enlarges() {
        assert_eq!(widths(1600), [320, 640, 960, 1600]);
        assert_eq!(widths(1200), [320, 640, 960, 1200]);
        assert_eq!(widths(320), [320]);
        assert_eq!(widths(7), [7]);
    }

    #[test]
    fn a_form_has_one_name() {
        let key = FormKey::parse("640.avif").expect("a form");
        assert_eq!((key.width, key.format), (640, FormFormat::Avif));
        for bad in [
            "",
            "640",
            "0640.avif",
            "+640.avif",
            "640.svg",
            "640.avif/",
            "../640.avif",
            "-1.webp",
        ] {
            assert!(FormKey::parse(bad).is_none(), "{bad}");
        }
    }
}

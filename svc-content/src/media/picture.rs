//! Decodes an upload to upright sRGB pixels of at most the largest form. Nothing else of the upload remains: no EXIF, no
//! position, no colour profile, no appended data.

use std::{fmt, io::Cursor};

use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer, images::Image as ResizedImage,
};
use image::{
    DynamicImage, ImageDecoder, ImageEncoder as _, ImageError, ImageFormat, Limits, RgbImage,
    RgbaImage,
    codecs::{
        jpeg::JpegDecoder,
        png::{CompressionType, FilterType as PngFilter, PngDecoder, PngEncoder},
        webp::WebPDecoder,
    },
    metadata::Orientation,
};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use sha2::{Digest as _, Sha256};

/// Maximum size of an upload.
pub const BYTES_MAX: usize = 20 * 1024 * 1024;
/// Maximum pixels of an upload; a phone's camera has 12 million.
pub const PIXELS_MAX: u64 = 40_000_000;
/// Maximum bytes of the decoded pixels. Of 16-bit pictures with alpha, 32 million pixels fit.
const DECODED_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Size into which every picture is fitted: the largest form.
pub const WIDTH_MAX: u32 = 1600;
pub const HEIGHT_MAX: u32 = 2400;
/// Longer side over shorter side. A longer strip would be a form of no height.
const ASPECT_MAX: u32 = 50;
/// Maximum bytes of a colour profile that is applied; those of cameras have less than 4 KB.
const PROFILE_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of the hash that names a picture.
const HASH_BYTES: usize = 20;

const WANTED: &str = "Send a JPEG, PNG or WebP picture";

/// Upright sRGB pixels, at most [`WIDTH_MAX`] by [`HEIGHT_MAX`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Pixels,
}

/// Pixels of 8 bits for each channel, row by row.
#[derive(Clone, PartialEq, Eq)]
pub enum Pixels {
    Rgb(Vec<u8>),
    /// With alpha, not premultiplied. At least one pixel is not opaque.
    Rgba(Vec<u8>),
}

impl fmt::Debug for Pixels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Rgb(_) => "Rgb",
            Self::Rgba(_) => "Rgba",
        })
    }
}

/// Why an upload is refused. The text is for the person who sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    pub fn broken() -> Self {
        Self(format!("The picture is incomplete or damaged. {WANTED}"))
    }

    fn of_type(name: &str) -> Self {
        Self(format!("{name} is not accepted. {WANTED}"))
    }

    fn too_many_pixels(width: u32, height: u32) -> Self {
        Self(format!(
            "The picture has {width} × {height} pixels. At most {} million are accepted",
            PIXELS_MAX / 1_000_000
        ))
    }
}

impl From<ImageError> for Refusal {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self(format!(
                "The picture takes more than {} MiB when decoded. Send a smaller one",
                DECODED_BYTES_MAX / 1024 / 1024
            )),
            _ => Self::broken(),
        }
    }
}

impl Picture {
    /// Decodes an upload. Takes up to a second and 400 MiB: call it on a blocking thread.
    pub fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.is_empty() {
            return Err(Refusal(format!("The picture is missing. {WANTED}")));
        }
        if bytes.len() > BYTES_MAX {
            return Err(Refusal(format!(
                "The picture is larger than {} MiB",
                BYTES_MAX / 1024 / 1024
            )));
        }
        match format_of(bytes)? {
            ImageFormat::Jpeg if !is_complete_jpeg(bytes) => Err(Refusal::broken()),
            ImageFormat::Jpeg => Self::from_decoder(JpegDecoder::new(Cursor::new(bytes))?),
            ImageFormat::Png => {
                let decoder = PngDecoder::with_limits(Cursor::new(bytes), limits());
                Self::from_decoder(decoder.map_err(|error| png_refusal(bytes, error))?)
            }
            _ => {
                let decoder = WebPDecoder::new(Cursor::new(bytes))?;
                if decoder.has_animation() {
                    return Err(Refusal::of_type("An animated WebP"));
                }
                Self::from_decoder(decoder)
            }
        }
    }

    fn from_decoder(mut decoder: impl ImageDecoder) -> Result<Self, Refusal> {
        let (width, height) = decoder.dimensions();
        check_size(width, height)?;
        decoder.set_limits(limits())?;
        if decoder.total_bytes() > DECODED_BYTES_MAX {
            return Err(Refusal::too_many_pixels(width, height));
        }
        let orientation = decoder.orientation()?;
        let profile = decoder.icc_profile()?;
        let whole = DynamicImage::from_decoder(decoder)?;
        // Shrunk first: turning and converting a small picture takes less memory.
        let (picture_width, picture_height) = fitted(width, height, orientation);
        let mut small = if whole.color().has_alpha() {
            let pixels = whole.into_rgba8().into_raw();
            let pixels = shrunk(
                pixels,
                PixelType::U8x4,
                width,
                height,
                picture_width,
                picture_height,
            )?;
            RgbaImage::from_raw(picture_width, picture_height, pixels).map(DynamicImage::from)
        } else {
            let pixels = whole.into_rgb8().into_raw();
            let pixels = shrunk(
                pixels,
                PixelType::U8x3,
                width,
                height,
                picture_width,
                picture_height,
            )?;
            RgbImage::from_raw(picture_width, picture_height, pixels).map(DynamicImage::from)
        }
        .ok_or_else(Refusal::broken)?;
        small.apply_orientation(orientation);
        Ok(Self::upright(small, profile.as_deref()))
    }

    fn upright(image: DynamicImage, profile: Option<&[u8]>) -> Self {
        let (width, height) = (image.width(), image.height());
        let is_opaque = image
            .as_rgba8()
            .is_none_or(|image| image.pixels().all(|pixel| pixel.0[3] == u8::MAX));
        let pixels = if is_opaque {
            Pixels::Rgb(in_srgb(image.into_rgb8().into_raw(), Layout::Rgb, profile))
        } else {
            Pixels::Rgba(in_srgb(
                image.into_rgba8().into_raw(),
                Layout::Rgba,
                profile,
            ))
        };
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Returns the name of the picture: the same pixels have the same name.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.width.to_be_bytes());
        hash.update(self.height.to_be_bytes());
        let (channels, pixels) = self.channels();
        hash.update([channels]);
        hash.update(pixels);
        let digest = hash.finalize();
        digest[..HASH_BYTES]
            .iter()
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }

    /// Returns the picture as PNG, from which the forms are made.
    pub fn to_png(&self) -> Result<Vec<u8>, ImageError> {
        let (channels, pixels) = self.channels();
        let color = if channels == 4 {
            image::ExtendedColorType::Rgba8
        } else {
            image::ExtendedColorType::Rgb8
        };
        let mut out = Vec::new();
        PngEncoder::new_with_quality(&mut out, CompressionType::Fast, PngFilter::Up).write_image(
            pixels,
            self.width,
            self.height,
            color,
        )?;
        Ok(out)
    }

    /// Returns the picture in a smaller width.
    pub fn resized(&self, width: u32) -> Result<Self, Refusal> {
        if width == self.width {
            return Ok(self.clone());
        }
        let height = scaled(self.height, width, self.width);
        let (from_width, from_height) = (self.width, self.height);
        let pixels = match &self.pixels {
            Pixels::Rgb(pixels) => Pixels::Rgb(shrunk(
                pixels.clone(),
                PixelType::U8x3,
                from_width,
                from_height,
                width,
                height,
            )?),
            Pixels::Rgba(pixels) => Pixels::Rgba(shrunk(
                pixels.clone(),
                PixelType::U8x4,
                from_width,
                from_height,
                width,
                height,
            )?),
        };
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    fn channels(&self) -> (u8, &[u8]) {
        match &self.pixels {
            Pixels::Rgb(pixels) => (3, pixels),
            Pixels::Rgba(pixels) => (4, pixels),
        }
    }
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED_BYTES_MAX);
    limits
}

/// Recognises the format by the first bytes. The name and the declared type of an upload are never read.
fn format_of(bytes: &[u8]) -> Result<ImageFormat, Refusal> {
    let Some(kind) = infer::get(bytes) else {
        let head = &bytes[..bytes.len().min(1024)];
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        return Err(if head.contains("<svg") {
            Refusal::of_type("SVG")
        } else {
            Refusal(format!("This is not a picture. {WANTED}"))
        });
    };
    match kind.mime_type() {
        "image/jpeg" => Ok(ImageFormat::Jpeg),
        "image/png" => Ok(ImageFormat::Png),
        "image/webp" => Ok(ImageFormat::WebP),
        "image/gif" => Err(Refusal::of_type("GIF")),
        "image/heif" | "image/heic" => Err(Refusal::of_type("HEIC")),
        // An SVG with an XML declaration.
        "text/xml" => Err(Refusal::of_type("SVG or XML")),
        other => Err(Refusal::of_type(other)),
    }
}

/// Whether the scan of a JPEG ends with its marker. Decoders fill the rest of a truncated picture with grey.
fn is_complete_jpeg(bytes: &[u8]) -> bool {
    // Segments before the scan may contain a whole JPEG, such as a thumbnail.
    let mut at = 2;
    while let Some([0xff, marker, high, low]) = bytes.get(at..at + 4) {
        match marker {
            // Fill byte.
            0xff => at += 1,
            0xda => return bytes[at..].windows(2).any(|pair| pair == [0xff, 0xd9]),
            _ => at += 2 + usize::from(u16::from_be_bytes([*high, *low])),
        }
    }
    false
}

/// Explains a PNG that exceeds the limits before its size is known: reads the size from the header (IHDR).
fn png_refusal(bytes: &[u8], error: ImageError) -> Refusal {
    let side = |at: usize| {
        let four = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(four))
    };
    match (side(16), side(20)) {
        (Some(width), Some(height)) => check_size(width, height).err(),
        _ => None,
    }
    .unwrap_or_else(|| error.into())
}

fn check_size(width: u32, height: u32) -> Result<(), Refusal> {
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(Refusal::too_many_pixels(width, height));
    }
    let (short, long) = (width.min(height), width.max(height));
    if short == 0 {
        return Err(Refusal::broken());
    }
    if long / short > ASPECT_MAX {
        return Err(Refusal(format!(
            "The picture has {width} × {height} pixels. One side may be at most {ASPECT_MAX} times the other"
        )));
    }
    Ok(())
}

/// Returns the size before turning that fits the limits after turning. Never larger than the upload.
fn fitted(width: u32, height: u32, orientation: Orientation) -> (u32, u32) {
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    let (width_max, height_max) = if is_turned {
        (HEIGHT_MAX, WIDTH_MAX)
    } else {
        (WIDTH_MAX, HEIGHT_MAX)
    };
    if width <= width_max && height <= height_max {
        return (width, height);
    }
    let by_width = (width_max, scaled(height, width_max, width));
    if by_width.1 <= height_max {
        by_width
    } else {
        (scaled(width, height_max, height), height_max)
    }
}

/// Returns `side * numerator / denominator`, rounded, at least 1.
fn scaled(side: u32, numerator: u32, denominator: u32) -> u32 {
    let (side, numerator, denominator) = (
        u64::from(side),
        u64::from(numerator),
        u64::from(denominator),
    );
    let rounded = (side * numerator + denominator / 2) / denominator;
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

fn shrunk(
    pixels: Vec<u8>,
    kind: PixelType,
    width: u32,
    height: u32,
    to_width: u32,
    to_height: u32,
) -> Result<Vec<u8>, Refusal> {
    if (width, height) == (to_width, to_height) {
        return Ok(pixels);
    }
    let source = ResizedImage::from_vec_u8(width, height, pixels, kind);
    let source = source.map_err(|_| Refusal::broken())?;
    let mut out = ResizedImage::new(to_width, to_height, kind);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new()
        .resize(&source, &mut out, &options)
        .map_err(|_| Refusal::broken())?;
    Ok(out.into_vec())
}

/// Converts pixels to sRGB. A missing or unusable profile counts as sRGB, which nearly all pictures without one are.
fn in_srgb(pixels: Vec<u8>, layout: Layout, profile: Option<&[u8]>) -> Vec<u8> {
    let profile = profile
        .filter(|profile| profile.len() <= PROFILE_BYTES_MAX)
        .and_then(|profile| ColorProfile::new_from_slice(profile).ok())
        .filter(|profile| profile.color_space == DataColorSpace::Rgb);
    let transform = profile.and_then(|profile| {
        let srgb = ColorProfile::new_srgb();
        let options = TransformOptions::default();
        profile
            .create_transform_8bit(layout, &srgb, layout, options)
            .ok()
    });
    let mut out = vec![0; pixels.len()];
    match transform {
        Some(transform) if transform.transform(&pixels, &mut out).is_ok() => out,
        _ => pixels,
    }
}

#[cfg(test)]
mod tests;

use image::{
    ExtendedColorType, ImageBuffer, ImageEncoder, Luma, Rgb, Rgba,
    codecs::{jpeg::JpegEncoder, png::PngEncoder},
};

use super::*;

const CMYK: &[u8] = include_bytes!("../../../tests/fixtures/pictures/cmyk.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("../../../tests/fixtures/pictures/progressive.jpg");
const DISPLAY_P3: &[u8] = include_bytes!("../../../tests/fixtures/pictures/display-p3.jpg");
const LOSSY_WEBP: &[u8] = include_bytes!("../../../tests/fixtures/pictures/lossy.webp");
const ANIMATED_WEBP: &[u8] = include_bytes!("../../../tests/fixtures/pictures/animated.webp");
const ANIMATED_GIF: &[u8] = include_bytes!("../../../tests/fixtures/pictures/animated.gif");

const RED: [u8; 3] = [200, 40, 40];
const BLUE: [u8; 3] = [40, 40, 200];
/// Tolerance of lossy codecs.
const NEAR: u8 = 12;

/// Left half red, right half blue, with a green upper left corner.
fn marked(width: u32, height: u32) -> RgbImage {
    ImageBuffer::from_fn(width, height, |x, y| {
        if x < width / 4 && y < height / 4 {
            Rgb([40, 200, 40])
        } else if x < width / 2 {
            Rgb(RED)
        } else {
            Rgb(BLUE)
        }
    })
}

fn jpeg(image: &RgbImage) -> Vec<u8> {
    let mut out = Vec::new();
    JpegEncoder::new_with_quality(&mut out, 92)
        .encode_image(image)
        .expect("a JPEG");
    out
}

fn png(pixels: &[u8], width: u32, height: u32, color: ExtendedColorType) -> Vec<u8> {
    let mut out = Vec::new();
    PngEncoder::new(&mut out)
        .write_image(pixels, width, height, color)
        .expect("a PNG");
    out
}

/// Adds an EXIF segment with an orientation and a GPS position.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08".to_vec();
    tiff.extend([0, 2]);
    // Orientation, SHORT.
    tiff.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    // GPS IFD at 38.
    tiff.extend([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]);
    tiff.extend([0, 0, 0, 0]);
    // GPSLatitudeRef and GPSMapDatum (as text).
    tiff.extend([0, 1, 0, 0x12, 0, 2, 0, 0, 0, 16, 0, 0, 0, 56, 0, 0, 0, 0]);
    tiff.extend(b"GPS-12.97N-77.59");
    let mut out = jpeg[..2].to_vec();
    let length = u16::try_from(tiff.len() + 8).expect("short");
    out.extend([0xff, 0xe1]);
    out.extend(length.to_be_bytes());
    out.extend(b"Exif\0\0");
    out.extend(tiff);
    out.extend(&jpeg[2..]);
    out
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let (channels, pixels) = picture.channels();
    let at = (y * picture.width + x) as usize * usize::from(channels);
    pixels[at..at + 3].try_into().expect("a pixel")
}

fn assert_near(found: [u8; 3], wanted: [u8; 3]) {
    let is_near = found
        .iter()
        .zip(wanted)
        .all(|(found, wanted)| found.abs_diff(wanted) <= NEAR);
    assert!(is_near, "{found:?} is not {wanted:?}");
}

fn assert_halves(picture: &Picture) {
    assert_eq!((picture.width, picture.height), (64, 48));
    assert_near(pixel(picture, 16, 24), RED);
    assert_near(pixel(picture, 48, 24), BLUE);
}

fn refusal(bytes: &[u8]) -> String {
    Picture::decode(bytes).expect_err("refused").0
}

#[test]
fn a_photograph_becomes_upright_and_loses_everything_else() {
    let photograph = with_exif(&jpeg(&marked(4000, 3000)), 1);
    let picture = Picture::decode(&photograph).expect("a picture");
    assert_eq!((picture.width, picture.height), (1600, 1200));
    let png = picture.to_png().expect("a PNG");
    assert!(png.len() < 8 * 1024 * 1024);
    assert_eq!(Picture::decode(&png).expect("a picture"), picture);
    for secret in [&b"GPS-12.97N"[..], b"Exif"] {
        assert!(photograph.windows(secret.len()).any(|part| part == secret));
        assert!(!png.windows(secret.len()).any(|part| part == secret));
    }
}

#[test]
fn turns_all_eight_orientations_upright() {
    // The picture as seen upright, stored in each orientation.
    let upright = DynamicImage::from(marked(64, 48));
    for orientation in 1..=8 {
        let stored = match orientation {
            2 => upright.fliph(),
            3 => upright.rotate180(),
            4 => upright.flipv(),
            5 => upright.fliph().rotate270(),
            6 => upright.rotate270(),
            7 => upright.fliph().rotate90(),
            8 => upright.rotate90(),
            _ => upright.clone(),
        };
        let bytes = with_exif(&jpeg(&stored.into_rgb8()), orientation);
        let picture = Picture::decode(&bytes).expect("a picture");
        assert_halves(&picture);
        assert_near(pixel(&picture, 4, 4), [40, 200, 40]);
    }
    let tall = with_exif(&jpeg(&marked(3000, 2000)), 6);
    let tall = Picture::decode(&tall).expect("a picture");
    assert_eq!((tall.width, tall.height), (1600, 2400));
}

#[test]
fn decodes_unusual_formats_in_the_right_colours() {
    for bytes in [PROGRESSIVE, LOSSY_WEBP, DISPLAY_P3] {
        assert_halves(&Picture::decode(bytes).expect("a picture"));
    }
    // Converted without a profile of inks: the hue is right, the shade is not exact.
    let inks = Picture::decode(CMYK).expect("a picture");
    let [red, green, blue] = pixel(&inks, 16, 24);
    assert!(red > 150 && green < 80 && blue < 80);
    let [red, green, blue] = pixel(&inks, 48, 24);
    assert!(red < 80 && green < 80 && blue > 130);
    let sixteen: Vec<u8> = marked(64, 48)
        .into_raw()
        .into_iter()
        .flat_map(|channel| (u16::from(channel) * 257).to_ne_bytes())
        .collect();
    let sixteen = png(&sixteen, 64, 48, ExtendedColorType::Rgb16);
    assert_halves(&Picture::decode(&sixteen).expect("a picture"));
    let grey: ImageBuffer<Luma<u8>, Vec<u8>> = ImageBuffer::from_pixel(3, 2, Luma([7]));
    let grey = png(&grey, 3, 2, ExtendedColorType::L8);
    let grey = Picture::decode(&grey).expect("a picture");
    assert_eq!(pixel(&grey, 0, 0), [7, 7, 7]);
}

#[test]
fn keeps_transparency_only_where_there_is_some() {
    let image = |alpha| ImageBuffer::from_pixel(8, 8, Rgba([9, 9, 9, alpha]));
    let decoded = |alpha| {
        let bytes = png(&image(alpha), 8, 8, ExtendedColorType::Rgba8);
        Picture::decode(&bytes).expect("a picture")
    };
    assert!(matches!(decoded(255).pixels, Pixels::Rgb(_)));
    assert!(matches!(decoded(128).pixels, Pixels::Rgba(_)));
    assert_ne!(decoded(128).hash(), decoded(127).hash());
}

#[test]
fn the_hash_depends_on_the_pixels_alone() {
    let plain = jpeg(&marked(64, 48));
    let polyglot = [&plain[..], b"<html><script>alert(1)</script></html>"].concat();
    let hash = |bytes: &[u8]| Picture::decode(bytes).expect("a picture").hash();
    assert_eq!(hash(&plain), hash(&polyglot));
    assert_eq!(hash(&plain), hash(&with_exif(&plain, 1)));
    assert_ne!(hash(&plain), hash(&with_exif(&plain, 3)));
    assert_eq!(hash(&plain).len(), 40);
    let polyglot = Picture::decode(&polyglot).expect("a picture");
    let png = polyglot.to_png().expect("a PNG");
    assert!(!png.windows(7).any(|part| part == b"<script"));
}

#[test]
fn refuses_what_is_no_picture_by_name() {
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let declared = [&b"<?xml version='1.0'?>"[..], svg].concat();
    for (bytes, name) in [
        (ANIMATED_GIF, "GIF is not accepted"),
        (ANIMATED_WEBP, "An animated WebP is not accepted"),
        (svg, "SVG is not accepted"),
        (&declared, "SVG or XML is not accepted"),
        (
            b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
            "HEIC is not accepted",
        ),
        (b"%PDF-1.7", "application/pdf is not accepted"),
        (b"<html><img src='a.jpg'>", "is not accepted"),
        (b"", "The picture is missing"),
        (&[7; 4096], "This is not a picture"),
    ] {
        let text = refusal(bytes);
        assert!(text.contains(name), "{text}");
        assert!(text.contains("JPEG, PNG or WebP"), "{text}");
    }
}

#[test]
fn refuses_truncated_pictures() {
    let photograph = jpeg(&marked(640, 480));
    let with_thumbnail = with_exif(&photograph, 1);
    let image = marked(64, 48);
    let png = png(&image, 64, 48, ExtendedColorType::Rgb8);
    for whole in [
        &photograph[..],
        &with_thumbnail,
        PROGRESSIVE,
        &png,
        LOSSY_WEBP,
    ] {
        assert!(Picture::decode(whole).is_ok());
        for length in [3, 20, whole.len() / 2, whole.len() - 20] {
            let text = refusal(&whole[..length]);
            assert!(text.contains("picture"), "{text}");
        }
    }
}

#[test]
fn survives_damaged_bytes() {
    let image = marked(64, 48);
    let png = png(&image, 64, 48, ExtendedColorType::Rgb8);
    let photograph = with_exif(&jpeg(&image), 6);
    for whole in [
        &photograph[..],
        PROGRESSIVE,
        CMYK,
        &png,
        LOSSY_WEBP,
        DISPLAY_P3,
    ] {
        for at in 0..whole.len() {
            let mut damaged = whole.to_vec();
            damaged[at] ^= 0x55;
            // Refused or decoded; no panic, no large allocation.
            if let Ok(picture) = Picture::decode(&damaged) {
                assert!(picture.width <= WIDTH_MAX && picture.height <= HEIGHT_MAX);
            }
        }
    }
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in kind.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    let length = u32::try_from(data.len()).expect("short").to_be_bytes();
    [&length[..], &kind, data, &(!crc).to_be_bytes()].concat()
}

#[test]
fn refuses_bombs_before_decoding() {
    let claimed = |width: u32, height: u32| {
        let header = [
            &width.to_be_bytes()[..],
            &height.to_be_bytes(),
            &[8, 2, 0, 0, 0],
        ]
        .concat();
        let begin = [&b"\x89PNG\r\n\x1a\n"[..], &chunk(*b"IHDR", &header)].concat();
        [begin, chunk(*b"IDAT", &[0x78, 0x9c]), chunk(*b"IEND", &[])].concat()
    };
    let text = refusal(&claimed(50_000, 50_000));
    assert!(
        text.contains("50000 × 50000 pixels. At most 40 million"),
        "{text}"
    );
    let text = refusal(&claimed(5_000_000, 8));
    assert!(text.contains("One side may be at most 50 times"), "{text}");
    assert!(refusal(&claimed(0, 8)).contains("damaged"));
    // A claim within the limits is checked by its bytes.
    assert!(refusal(&claimed(6000, 6000)).contains("damaged"));

    let mut photograph = jpeg(&marked(64, 48));
    let frame = photograph
        .windows(2)
        .position(|pair| pair == [0xff, 0xc0])
        .expect("a frame");
    photograph[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    assert!(refusal(&photograph).contains("At most 40 million"));

    let noise = vec![0xa5; BYTES_MAX + 1];
    assert!(refusal(&noise).contains("larger than 20 MiB"));
}

//! Configured addresses of the packages of the contracts.

use std::{fmt, str::FromStr};

use tonic::transport::Uri;

/// Maximum addresses of one package.
const ADDRESSES_MAX: usize = 32;

/// One `package=url;url` entry of the configuration.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UpstreamAddresses {
    /// Package of the contract, for example `hospital.booking.v1`.
    pub package: String,
    /// At least one URL, for example `http://127.0.0.1:50052`. All give the same answers.
    pub addresses: Vec<Uri>,
}

impl FromStr for UpstreamAddresses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (package, addresses) = text
            .split_once('=')
            .ok_or("expected package=http://host:port")?;
        if package.trim().is_empty() {
            return Err("expected a package before the equals sign".to_owned());
        }
        let addresses: Vec<Uri> = addresses
            .split(';')
            .map(|address| parse(address.trim()))
            .collect::<Result<_, _>>()?;
        if addresses.len() > ADDRESSES_MAX {
            return Err(format!("more than {ADDRESSES_MAX} addresses"));
        }
        Ok(Self {
            package: package.trim().to_owned(),
            addresses,
        })
    }
}

fn parse(text: &str) -> Result<Uri, String> {
    let address: Uri = text.parse().map_err(|e| format!("address: {e}"))?;
    let is_known = matches!(address.scheme_str(), Some("http" | "https"));
    let has_path = !matches!(address.path(), "" | "/") || address.query().is_some();
    if !is_known || address.host().is_none_or(str::is_empty) || has_path {
        return Err("expected an address such as http://127.0.0.1:50051".to_owned());
    }
    Ok(address)
}

impl fmt::Display for UpstreamAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<_> = self.addresses.iter().map(Uri::to_string).collect();
        write!(f, "{}={}", self.package, addresses.join(";"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_package_and_addresses() {
        for (text, shown) in [
            (
                "hospital.booking.v1=http://127.0.0.1:50052",
                "hospital.booking.v1=http://127.0.0.1:50052/",
            ),
            (
                " a.v1 = http://a:1 ; https://b:2",
                "a.v1=http://a:1/;https://b:2/",
            ),
        ] {
            let upstream: UpstreamAddresses = text.parse().unwrap();
            assert_eq!(upstream.to_string(), shown);
        }
    }

    #[test]
    fn refuses_malformed_upstreams() {
        for text in [
            "",
            "x",
            "=http://a:1",
            "x=",
            "x=127.0.0.1:50051",
            "x=ftp://a:1",
            "x=http://a:1;",
            "x=http://a:1/path",
            "x=http://a:1;b",
        ] {
            assert!(text.parse::<UpstreamAddresses>().is_err(), "{text}");
        }
        let many = vec!["http://a:1"; ADDRESSES_MAX + 1].join(";");
        assert!(format!("x={many}").parse::<UpstreamAddresses>().is_err());
    }
}

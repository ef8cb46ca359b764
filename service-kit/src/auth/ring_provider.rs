//! Signature checks for `jsonwebtoken` with `ring`, the crypto library that is linked anyway. The built-in back ends
//! would add a second library, or the `rsa` crate with its open timing advisory (RUSTSEC-2023-0071).

use std::sync::Once;

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind,
    crypto::{CryptoProvider, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result},
    signature::{Error, Verifier},
};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: |algorithm, key| verifier(*algorithm, key),
    // Only needed for generating key sets, which nothing here does.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the provider for `jsonwebtoken`; further calls have no effect.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if PROVIDER.install_default().is_err() {
            tracing::warn!("another signature provider was already installed");
        }
    });
}

fn verifier(algorithm: Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let with_bytes = |by: &'static dyn VerificationAlgorithm| {
        let bytes = key.try_get_as_bytes()?.to_vec();
        Ok(Check::Bytes(UnparsedPublicKey::new(by, bytes)))
    };
    let check = match (algorithm, key.kind()) {
        (Algorithm::EdDSA, _) => with_bytes(&ED25519),
        (Algorithm::ES256, _) => with_bytes(&ECDSA_P256_SHA256_FIXED),
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Ok(Check::Rsa(RsaPublicKeyComponents {
                n: n.clone(),
                e: e.clone(),
            }))
        }
        _ => Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    check.map(|check| Box::new(RingVerifier { algorithm, check }) as Box<dyn JwtVerifier>)
}

enum Check {
    Bytes(UnparsedPublicKey<Vec<u8>>),
    Rsa(RsaPublicKeyComponents<Vec<u8>>),
}

struct RingVerifier {
    algorithm: Algorithm,
    check: Check,
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        match &self.check {
            Check::Bytes(key) => key.verify(message, signature),
            Check::Rsa(key) => key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature),
        }
        .map_err(|_| Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

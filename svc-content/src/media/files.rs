//! Files of pictures, in a folder or in S3. Each upload has a folder of its own, named by the row in the database; no
//! folder is written twice. So a folder without a row that is older than any upload takes can be removed.

use std::{collections::HashSet, fmt, path::PathBuf, str::FromStr, sync::Arc};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutPayload, aws::AmazonS3Builder,
    local::LocalFileSystem, path::Path, prefix::PrefixStore,
};
use uuid::Uuid;

use super::http::HyperConnector;

/// Place of the files: `file:` and a folder, or `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediaUrl {
    Folder(PathBuf),
    S3 { bucket: String, prefix: String },
}

impl FromStr for MediaUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || "expected file:folder or s3://bucket/prefix".to_owned();
        if let Some(path) = text.strip_prefix("file:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err(wanted());
            }
            return Ok(Self::Folder(path.into()));
        }
        let rest = text.strip_prefix("s3://").ok_or_else(wanted)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wanted());
        }
        Ok(Self::S3 {
            bucket: bucket.to_owned(),
            prefix: prefix.trim_matches('/').to_owned(),
        })
    }
}

impl fmt::Display for MediaUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(formatter, "file:{}", path.display()),
            Self::S3 { bucket, prefix } => write!(formatter, "s3://{bucket}/{prefix}"),
        }
    }
}

/// The media store failed.
#[derive(Debug, thiserror::Error)]
#[error("the media store failed")]
pub struct FilesError(#[from] Error);

/// Files of pictures. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Files(Arc<dyn ObjectStore>);

impl Files {
    /// Opens the store without contacting it. A folder is created by the first upload. S3 takes its settings from the
    /// environment.
    pub fn open(url: &MediaUrl) -> Result<Self, FilesError> {
        Self::open_with(url, [])
    }

    /// As [`Self::open`], with further settings of S3.
    pub fn open_with<'a>(
        url: &MediaUrl,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, FilesError> {
        let store: Arc<dyn ObjectStore> = match url {
            MediaUrl::Folder(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let prefix = Path::from_absolute_path(path).map_err(Error::from)?;
                let folder = LocalFileSystem::new()
                    .with_fsync(true)
                    .with_automatic_cleanup(true);
                Arc::new(PrefixStore::new(folder, prefix))
            }
            MediaUrl::S3 { bucket, prefix } => {
                let mut builder = AmazonS3Builder::from_env();
                for (name, value) in settings {
                    builder = builder.with_config(name.parse()?, value);
                }
                let s3 = builder
                    .with_bucket_name(bucket)
                    .with_http_connector(HyperConnector)
                    .build()?;
                Arc::new(PrefixStore::new(s3, Path::from(prefix.as_str())))
            }
        };
        Ok(Self(store))
    }

    pub async fn put(&self, folder: Uuid, name: &str, bytes: Vec<u8>) -> Result<(), FilesError> {
        let payload = PutPayload::from(bytes);
        self.0.put(&path(folder, name), payload).await?;
        Ok(())
    }

    /// Returns a file; `None` if it is missing.
    pub async fn get(&self, folder: Uuid, name: &str) -> Result<Option<Bytes>, FilesError> {
        let found = match self.0.get(&path(folder, name)).await {
            Err(Error::NotFound { .. }) => return Ok(None),
            found => found?,
        };
        Ok(Some(found.bytes().await?))
    }

    /// Deletes a folder with all its files.
    pub async fn delete(&self, folder: Uuid) -> Result<(), FilesError> {
        let prefix = Path::from(folder.to_string());
        let files: Vec<_> = self.0.list(Some(&prefix)).try_collect().await?;
        for file in files {
            match self.0.delete(&file.location).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Returns the folders whose files were all written before `time`.
    pub async fn folders_before(&self, time: DateTime<Utc>) -> Result<HashSet<Uuid>, FilesError> {
        let mut old = HashSet::new();
        let mut recent = HashSet::new();
        let mut files = self.0.list(None);
        while let Some(file) = files.try_next().await? {
            let folder = file.location.parts().next();
            // Files that this service did not write are left alone.
            let Some(folder) = folder.and_then(|name| name.as_ref().parse().ok()) else {
                continue;
            };
            if file.last_modified < time {
                old.insert(folder);
            } else {
                recent.insert(folder);
            }
        }
        Ok(&old - &recent)
    }
}

fn path(folder: Uuid, name: &str) -> Path {
    Path::from_iter([folder.to_string().as_str(), name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_places() {
        let read = |text: &str| text.parse::<MediaUrl>().map(|url| url.to_string());
        assert_eq!(read("file:data/media").as_deref(), Ok("file:data/media"));
        assert_eq!(read("file:///srv/media").as_deref(), Ok("file:/srv/media"));
        assert_eq!(read("s3://bucket").as_deref(), Ok("s3://bucket/"));
        assert_eq!(read("s3://bucket/a/b/").as_deref(), Ok("s3://bucket/a/b"));
        for bad in [
            "",
            "data/media",
            "file:",
            "s3://",
            "s3:///a",
            "https://bucket.example",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}

//! stub
#[derive(Debug, clap::Args)]
pub(crate) struct Options {}
pub(crate) fn run(_p: &crate::project::Project, _o: &Options) -> anyhow::Result<()> {
    Ok(())
}

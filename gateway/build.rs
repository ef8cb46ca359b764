//! The default upstreams come from the list of services in the root manifest, so that no word of the domain stands here.

fn main() -> Result<(), service_list::ListError> {
    service_list::upstream_defaults()
}

//! Generates the default purposes of the services from the list of services in the root manifest, so that the sources
//! contain no domain names.

fn main() -> Result<(), service_list::ListError> {
    service_list::upstream_defaults()
}

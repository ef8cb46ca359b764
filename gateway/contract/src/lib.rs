//! Reads the contracts. Every RPC with `google.api.http` becomes an operation of the REST API.

#![warn(missing_docs)]

mod error;
mod lookup;
mod policy;
mod raw;
pub mod template;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use axum::http::{Method, uri::PathAndQuery};
use gateway_http::problem::Problem;
use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor,
    MethodDescriptor,
};

use self::{policy::text, template::Template};

pub use self::{
    error::ContractError,
    policy::{DeclaredRateClass, Policy, RateClass, is_reserved},
    raw::RawBody,
};

/// Path prefix of the API on the site's own host.
pub const MOUNT: &str = "/api";

/// Part of the request message that the HTTP body carries.
#[derive(Clone, Debug)]
pub enum BodyRule {
    /// Nothing: path and query carry all fields.
    None,
    /// The whole request message.
    Whole,
    /// One field of the request message.
    Field(FieldDescriptor),
    /// One field, whose bytes are the body itself (`google.api.HttpBody`).
    Raw(FieldDescriptor, RawBody),
}

/// One operation of the REST API.
#[derive(Clone, Debug)]
pub struct Operation {
    /// HTTP method.
    pub http_method: Method,
    /// Path below the mount point.
    pub template: Template,
    /// Template with the mount point, for telemetry: `/api/doctors/{id}`.
    pub route: Arc<str>,
    /// The RPC.
    pub rpc: MethodDescriptor,
    /// `package.Service/Method`, used as the span name.
    pub rpc_name: Arc<str>,
    /// `/package.Service/Method`.
    pub rpc_path: PathAndQuery,
    /// Package of the RPC; selects the upstream, unless a part of the path does.
    pub package: Arc<str>,
    /// Index in `path_fields` of the field that names the upstream.
    pub upstream_field: Option<usize>,
    /// Fields bound by the path, each as the chain of descriptors from the request message to the field.
    pub path_fields: Vec<Vec<FieldDescriptor>>,
    /// Part of the request message that the HTTP body carries.
    pub body: BodyRule,
    /// Field that becomes the response body; `None` for the whole message.
    pub response_body: Option<FieldDescriptor>,
    /// Fields with the body and its media type, if the response is not JSON.
    pub raw: Option<RawBody>,
    /// Field set from `Idempotency-Key` (AIP-155).
    pub request_id: Option<FieldDescriptor>,
    /// Field set from `If-Match` (AIP-154).
    pub etag: Option<FieldDescriptor>,
    /// Policy declared in the contract in addition to the route.
    pub policy: Policy,
    /// Index in [`Routes::operations()`].
    pub position: usize,
}

impl Operation {
    /// Returns the request message.
    pub fn input(&self) -> MessageDescriptor {
        self.rpc.input()
    }

    /// Returns the message sent as the response body; `None` if the body is a scalar or list field.
    pub fn resource(&self) -> Option<MessageDescriptor> {
        match &self.response_body {
            None => Some(self.rpc.output()),
            Some(field) if !field.is_list() && !field.is_map() => {
                field.kind().as_message().cloned()
            }
            Some(_) => None,
        }
    }

    /// Returns whether the call creates a resource: AIP-133's `Create…` by POST, or by PUT if its content identifies it.
    pub fn creates(&self) -> bool {
        matches!(self.http_method, Method::POST | Method::PUT)
            && !self.template.has_verb()
            && self.rpc.name().starts_with("Create")
    }

    /// Returns whether the operation is a DELETE with an empty response message.
    pub fn leaves_nothing(&self) -> bool {
        self.http_method == Method::DELETE
            && self
                .resource()
                .is_some_and(|resource| resource.fields().len() == 0)
    }

    /// Returns the rate limit class. A scoped call counts as a visitor's if a secret of the resource can replace the
    /// token.
    pub fn rate_class(&self) -> RateClass {
        let is_staff = !self.policy.scope.is_empty() && self.policy.secret_header.is_none();
        match self.policy.rate_class {
            DeclaredRateClass::Is(class) => class,
            DeclaredRateClass::Unspecified if is_staff => RateClass::Staff,
            DeclaredRateClass::Unspecified if self.creates() => RateClass::Create,
            DeclaredRateClass::Unspecified | DeclaredRateClass::Visitor => {
                RateClass::by_method(self.reads())
            }
        }
    }

    /// Returns whether the body is sent to the upstream verbatim.
    pub fn takes_bytes(&self) -> bool {
        matches!(self.body, BodyRule::Raw(..))
    }

    /// Returns whether the call is read-only.
    pub fn reads(&self) -> bool {
        self.http_method == Method::GET
    }
}

/// All operations, indexed by method and path.
#[derive(Debug)]
pub struct Routes {
    operations: Vec<Arc<Operation>>,
    /// Templates without variables, by path.
    literal: HashMap<String, Vec<Arc<Operation>>>,
    /// Templates with variables, most specific first.
    patterns: Vec<Arc<Operation>>,
    /// First path segments of public reads.
    readable: HashSet<String>,
}

impl Routes {
    /// Reads every annotated RPC of the pool.
    ///
    /// # Errors
    /// When an annotation is invalid, or two RPCs have the same method and path.
    pub fn from_pool(pool: &DescriptorPool) -> Result<Self, ContractError> {
        let mut operations: Vec<Arc<Operation>> = Vec::new();
        if let Some(http) = pool.get_extension_by_name("google.api.http") {
            let policy = pool.get_extension_by_name("hospital.api.v1.policy");
            for method in pool
                .services()
                .flat_map(|s| s.methods().collect::<Vec<_>>())
            {
                for mut operation in read_method(&method, &http, policy.as_ref())? {
                    operation.position = operations.len();
                    operations.push(Arc::new(operation));
                }
            }
        }
        let mut literal: HashMap<String, Vec<Arc<Operation>>> = HashMap::new();
        let mut patterns = Vec::new();
        for operation in &operations {
            let twin = operations.iter().find(|other| {
                !Arc::ptr_eq(operation, other)
                    && other.http_method == operation.http_method
                    && other.template.route(|_| String::new())
                        == operation.template.route(|_| String::new())
            });
            if let Some(twin) = twin {
                let (one, other) = (operation.rpc_name.to_string(), twin.rpc_name.to_string());
                return Err(ContractError::Conflict(one, other));
            }
            match operation.template.literal() {
                Some(path) => literal.entry(path).or_default().push(Arc::clone(operation)),
                None => patterns.push(Arc::clone(operation)),
            }
        }
        patterns.sort_by_cached_key(|operation| operation.template.preference());
        let readable = operations
            .iter()
            .filter(|operation| operation.reads() && operation.policy.scope.is_empty())
            .map(|operation| operation.template.route(|_| String::new()))
            .map(|route| first_segment(&route).to_owned())
            .collect();
        Ok(Self {
            operations,
            literal,
            patterns,
            readable,
        })
    }

    /// Returns all operations in the order of the contracts.
    pub fn operations(&self) -> &[Arc<Operation>] {
        &self.operations
    }

    /// Returns whether the cache may hold a response affected by a write to this path. Only public reads are cached, so
    /// the first segment of a public read must match.
    pub fn is_cacheable(&self, path: &str) -> bool {
        let any = ["{}", "*", "**"];
        let mut found = any.into_iter().chain([first_segment(path)]);
        found.any(|segment| self.readable.contains(segment))
    }

    /// Finds the operation for a method and a path below the mount point. HEAD maps to GET.
    ///
    /// # Errors
    /// 404 for an unknown path, 405 with `Allow` for a known path without this method.
    pub fn find(&self, method: &Method, path: &str) -> Result<&Arc<Operation>, Problem> {
        let method = if *method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let exact = self.literal.get(path).map_or(&[][..], Vec::as_slice);
        let found = exact.iter().find(|o| o.http_method == *method);
        let found = found.or_else(|| self.matching(path).find(|o| o.http_method == *method));
        found.ok_or_else(|| match self.allowed(path) {
            Some(allow) => Problem::method_not_allowed(&allow),
            None => Problem::not_found(),
        })
    }
}

/// Returns the first path segment without a verb such as `:cancel`.
fn first_segment(path: &str) -> &str {
    let below = path.trim_start_matches('/');
    below.split(['/', ':']).next().unwrap_or_default()
}

fn read_method(
    method: &MethodDescriptor,
    http: &ExtensionDescriptor,
    policy: Option<&ExtensionDescriptor>,
) -> Result<Vec<Operation>, ContractError> {
    let options = method.options();
    if !options.has_extension(http) {
        return Ok(Vec::new());
    }
    if method.is_client_streaming() || method.is_server_streaming() {
        return Err(ContractError::Streaming(method.full_name().to_owned()));
    }
    let policy = policy
        .filter(|extension| options.has_extension(extension))
        .and_then(|extension| {
            let value = options.get_extension(extension);
            let policy = value.as_message()?;
            Some(Policy::read(policy, method.full_name()))
        })
        .transpose()?
        .unwrap_or_default();
    let value = options.get_extension(http);
    let rule = value
        .as_message()
        .ok_or_else(|| ContractError::Method(method.full_name().to_owned()))?;
    let mut operations = vec![read_rule(method, rule, &policy)?];
    let more = rule.get_field_by_name("additional_bindings");
    for binding in more.iter().filter_map(|v| v.as_list()).flatten() {
        if let Some(rule) = binding.as_message() {
            operations.push(read_rule(method, rule, &policy)?);
        }
    }
    Ok(operations)
}

fn read_rule(
    method: &MethodDescriptor,
    rule: &DynamicMessage,
    policy: &Policy,
) -> Result<Operation, ContractError> {
    let rpc = method.full_name();
    let methods = [
        ("get", Method::GET),
        ("put", Method::PUT),
        ("post", Method::POST),
        ("delete", Method::DELETE),
        ("patch", Method::PATCH),
    ];
    let (name, http_method) = methods
        .into_iter()
        .find(|(name, _)| rule.has_field_by_name(name))
        .ok_or_else(|| ContractError::Method(rpc.to_owned()))?;
    let path = text(rule, name);
    let template = Template::parse(&path).map_err(|error| ContractError::Template {
        rpc: rpc.to_owned(),
        path: path.clone(),
        error,
    })?;
    let input = method.input();
    let no_such = |field: &str| ContractError::Field {
        rpc: rpc.to_owned(),
        field: field.to_owned(),
    };
    let path_fields = template
        .field_paths()
        .map(|path| field_path(&input, path).ok_or_else(|| no_such(path)))
        .collect::<Result<Vec<_>, _>>()?;
    let upstream_field = match policy.upstream_field.as_str() {
        "" => None,
        name => Some(
            template
                .field_paths()
                .position(|path| path == name)
                .ok_or_else(|| no_such(name))?,
        ),
    };
    let body = match text(rule, "body").as_str() {
        "" => BodyRule::None,
        "*" => BodyRule::Whole,
        name => {
            let field = input.get_field_by_name(name).ok_or_else(|| no_such(name))?;
            match RawBody::of_field(&field, &path_fields) {
                Some(raw) => BodyRule::Raw(field, raw),
                None => BodyRule::Field(field),
            }
        }
    };
    let response_body = match text(rule, "response_body").as_str() {
        "" => None,
        name => Some(
            method
                .output()
                .get_field_by_name(name)
                .ok_or_else(|| no_such(name))?,
        ),
    };
    let service = method.parent_service().full_name();
    let rpc_name = format!("{service}/{}", method.name());
    let raw = RawBody::of(method, response_body.as_ref(), &path_fields);
    let mut policy = policy.clone();
    // The cache is invalidated by the changes of one package.
    if http_method != Method::GET
        || policy.is_personal()
        || raw.is_some()
        || upstream_field.is_some()
    {
        policy.cache = Duration::ZERO;
    }
    Ok(Operation {
        route: format!("{MOUNT}{}", template.route(str::to_owned)).into(),
        rpc_path: PathAndQuery::try_from(format!("/{rpc_name}"))
            .map_err(|_| ContractError::Method(rpc.to_owned()))?,
        rpc_name: rpc_name.into(),
        package: method.parent_service().package_name().into(),
        upstream_field,
        request_id: string_field(&input, "request_id"),
        etag: string_field(&input, "etag"),
        rpc: method.clone(),
        http_method,
        template,
        path_fields,
        body,
        response_body,
        raw,
        policy,
        position: 0,
    })
}

/// Resolves a dotted path to its chain of fields. The last one must be a single scalar.
fn field_path(message: &MessageDescriptor, path: &str) -> Option<Vec<FieldDescriptor>> {
    let mut message = Some(message.clone());
    let mut fields = Vec::new();
    for name in path.split('.') {
        let field = message?.get_field_by_name(name)?;
        message = field.kind().as_message().cloned();
        if field.is_list() || field.is_map() {
            return None;
        }
        fields.push(field);
    }
    message.is_none().then_some(fields)
}

fn string_field(message: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    message
        .get_field_by_name(name)
        .filter(|field| matches!(field.kind(), Kind::String) && !field.is_list())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_caches_paths_without_a_cacheable_read() {
        let pool = DescriptorPool::decode(hospital_proto::FILE_DESCRIPTOR_SET).unwrap();
        let routes = Routes::from_pool(&pool).unwrap();
        for path in ["/holds/7", "/appointments", "/appointments/7:cancel"] {
            assert!(!routes.is_cacheable(path), "{path}");
        }
        for path in ["/blogs", "/blogs/heart-health", "/doctors:sort"] {
            assert!(routes.is_cacheable(path), "{path}");
        }
    }
}

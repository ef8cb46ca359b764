//! The gRPC handlers: parse, one call, reply.

mod blogs;
pub(crate) mod language;
pub(crate) mod media;
pub(crate) mod preview;
pub(crate) mod records;

use std::sync::Arc;

use hospital_proto::{
    content::v1::{self as api, content_service_server::ContentService},
    google::api::HttpBody,
};
use service_kit::{
    auth::Verifier,
    input::{Line, Violation, Violations, optional},
    source::{Clock, Ids},
};
use store_kit::{creation, keys::Keys};
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status};

use crate::{
    calendar_file::CalendarEntry,
    domain::{Content, DoctorQuery, QUERY_CHARS_MAX, department_profiles::ProfileQuery, events},
    error::AnswerError,
    paging::PageRequest,
    posts::Posts,
    records::gaps::Gaps,
    search::Entry,
    store::Store,
};
use preview::Previews;

/// Default page size of lists that grow.
const PAGE_SIZE_DEFAULT: usize = 20;
/// Maximum length of a placement's name, in characters.
const PLACEMENT_CHARS_MAX: usize = 60;

/// The state of the RPCs.
#[derive(Debug, Clone)]
pub(crate) struct Rpcs {
    pub(crate) posts: Arc<Posts>,
    pub(crate) store: Store,
    pub(crate) keys: Keys,
    pub(crate) verifier: Verifier,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    /// Limits the posts whose HTML is parsed concurrently.
    pub(crate) parsers: Arc<Semaphore>,
    pub(crate) previews: Arc<Previews>,
    pub(crate) gaps: Arc<Gaps>,
    /// Whether changed content files are taken at each start.
    pub(crate) is_development: bool,
}

impl Rpcs {
    /// Returns an event, or where its former page leads to.
    fn event(&self, name: &str) -> Result<api::Event, AnswerError> {
        let content = self.content();
        let event = content.event(name, self.clock.now());
        // The months of a series are gone with it.
        let series = events::month_of(name).map(|(series, _)| series);
        let is_moved = |name: &str| content.moved.contains_key(&format!("/event/{name}"));
        let name = series.filter(|_| !is_moved(name)).unwrap_or(name);
        found(&content, event, "event", ("/event/", name))
    }

    /// Returns the store once the posts are loaded. Before that, the database may be unavailable.
    fn store(&self) -> Result<&Store, AnswerError> {
        if self.posts.are_known() {
            Ok(&self.store)
        } else {
            Err(AnswerError::Starting)
        }
    }
}

type Reply<T> = Result<Response<T>, Status>;

/// Parses the page of a list without filter. The list's name binds tokens to their list.
fn page(list: &str, size: i32, token: &str) -> Result<PageRequest, AnswerError> {
    Ok(PageRequest::parse(size, token, &[list])?)
}

/// Returns the record, or where its former page leads to.
fn found<T>(
    content: &Content,
    record: Option<T>,
    what: &'static str,
    (folder, name): (&str, &str),
) -> Result<T, AnswerError> {
    let path = || format!("{folder}{name}");
    record.ok_or_else(|| match content.moved.get(&path()) {
        Some(location) => AnswerError::Moved(location.clone()),
        None => AnswerError::NotFound(what),
    })
}

#[tonic::async_trait]
impl ContentService for Rpcs {
    async fn get_site(
        &self,
        _request: Request<api::GetSiteRequest>,
    ) -> Reply<api::GetSiteResponse> {
        let site = Some(self.content().site.clone());
        Ok(Response::new(api::GetSiteResponse { site }))
    }

    async fn list_doctors(
        &self,
        request: Request<api::ListDoctorsRequest>,
    ) -> Reply<api::ListDoctorsResponse> {
        let mut request = request.into_inner();
        language::to_english(&mut request.specialty);
        let query = DoctorQuery::parse(&request).map_err(AnswerError::Invalid)?;
        let content = self.content();
        let (doctors, next_page_token) = content.doctors.page(&query);
        Ok(Response::new(api::ListDoctorsResponse {
            doctors,
            next_page_token,
            specialties: content.doctors.specialties.clone(),
        }))
    }

    async fn get_doctor(
        &self,
        request: Request<api::GetDoctorRequest>,
    ) -> Reply<api::GetDoctorResponse> {
        let (content, name) = (self.content(), &request.get_ref().doctor);
        let doctor = content.doctors.find(name);
        let doctor = Some(found(&content, doctor, "doctor", ("/doctor/", name))?.clone());
        Ok(Response::new(api::GetDoctorResponse { doctor }))
    }

    async fn list_department_profiles(
        &self,
        request: Request<api::ListDepartmentProfilesRequest>,
    ) -> Reply<api::ListDepartmentProfilesResponse> {
        let query = ProfileQuery::parse(request.get_ref()).map_err(AnswerError::Invalid)?;
        let fitting = query.fitting(&self.english().departments);
        let is_fitting = |profile: &api::DepartmentProfile| fitting.contains(&profile.id);
        let (department_profiles, next_page_token) =
            self.content().departments.page(&query.page, is_fitting);
        Ok(Response::new(api::ListDepartmentProfilesResponse {
            department_profiles,
            next_page_token,
        }))
    }

    async fn list_services(
        &self,
        request: Request<api::ListServicesRequest>,
    ) -> Reply<api::ListServicesResponse> {
        let request = request.into_inner();
        let page = page("services", request.page_size, &request.page_token)?;
        let (services, next_page_token) = self.content().services.page(&page, |_| true);
        Ok(Response::new(api::ListServicesResponse {
            services,
            next_page_token,
        }))
    }

    async fn list_specialties(
        &self,
        request: Request<api::ListSpecialtiesRequest>,
    ) -> Reply<api::ListSpecialtiesResponse> {
        let request = request.into_inner();
        let page = page("specialties", request.page_size, &request.page_token)?;
        let (specialties, next_page_token) = self.content().specialties.page(&page, |_| true);
        Ok(Response::new(api::ListSpecialtiesResponse {
            specialties,
            next_page_token,
        }))
    }

    async fn list_surgeries(
        &self,
        request: Request<api::ListSurgeriesRequest>,
    ) -> Reply<api::ListSurgeriesResponse> {
        let request = request.into_inner();
        let page = page("surgeries", request.page_size, &request.page_token)?;
        let (surgeries, next_page_token) = self.content().surgeries.page(&page, |_| true);
        Ok(Response::new(api::ListSurgeriesResponse {
            surgeries,
            next_page_token,
        }))
    }

    async fn get_service(
        &self,
        request: Request<api::GetServiceRequest>,
    ) -> Reply<api::GetServiceResponse> {
        let (content, name) = (self.content(), &request.get_ref().service);
        let service = content.services.find(name);
        let service = Some(found(&content, service, "service", ("/service/", name))?.clone());
        Ok(Response::new(api::GetServiceResponse { service }))
    }

    async fn get_specialty(
        &self,
        request: Request<api::GetSpecialtyRequest>,
    ) -> Reply<api::GetSpecialtyResponse> {
        let (content, name) = (self.content(), &request.get_ref().specialty);
        let specialty = content.specialties.find(name);
        let specialty =
            Some(found(&content, specialty, "specialty", ("/specialty/", name))?.clone());
        Ok(Response::new(api::GetSpecialtyResponse { specialty }))
    }

    async fn get_surgery(
        &self,
        request: Request<api::GetSurgeryRequest>,
    ) -> Reply<api::GetSurgeryResponse> {
        let (content, name) = (self.content(), &request.get_ref().surgery);
        let surgery = content.surgeries.find(name);
        let surgery =
            Some(found(&content, surgery, "surgery", ("/deluxe-surgeries/", name))?.clone());
        Ok(Response::new(api::GetSurgeryResponse { surgery }))
    }

    async fn get_news(&self, request: Request<api::GetNewsRequest>) -> Reply<api::GetNewsResponse> {
        let (content, name) = (self.content(), &request.get_ref().news);
        let news = content.news.find(name);
        let news = Some(found(&content, news, "article", ("/news/", name))?.clone());
        Ok(Response::new(api::GetNewsResponse { news }))
    }

    async fn list_events(
        &self,
        request: Request<api::ListEventsRequest>,
    ) -> Reply<api::ListEventsResponse> {
        let request = request.into_inner();
        let page = page("events", request.page_size, &request.page_token)?;
        let all = self.content().events(self.clock.now());
        let (events, next_page_token) = page.cut(&all, |event| &event.id, |_| true);
        Ok(Response::new(api::ListEventsResponse {
            events: events.into_iter().cloned().collect(),
            next_page_token,
        }))
    }

    async fn get_event(
        &self,
        request: Request<api::GetEventRequest>,
    ) -> Reply<api::GetEventResponse> {
        let event = Some(self.event(&request.get_ref().event)?);
        Ok(Response::new(api::GetEventResponse { event }))
    }

    async fn get_event_calendar(
        &self,
        request: Request<api::GetEventCalendarRequest>,
    ) -> Reply<HttpBody> {
        let mut event = self.event(&request.get_ref().event_id)?;
        let (content, now) = (self.content(), self.clock.now());
        // The start and the end are read from the English text.
        if let Some(english) = self.english().event(&event.id, now) {
            event.time = english.time;
        }
        let language = language::translated().map(|translated| translated.language);
        let entry = CalendarEntry::new(&event, &content.site, now, language);
        Ok(Response::new(HttpBody {
            content_type: entry.content_type(),
            data: entry.file().into_bytes(),
            extensions: Vec::new(),
        }))
    }

    async fn list_reviews(
        &self,
        request: Request<api::ListReviewsRequest>,
    ) -> Reply<api::ListReviewsResponse> {
        let request = request.into_inner();
        let page = page("reviews", request.page_size, &request.page_token)?;
        let content = self.content();
        let (reviews, next_page_token) = page.cut(&content.reviews, |(id, _)| id, |_| true);
        Ok(Response::new(api::ListReviewsResponse {
            reviews: reviews
                .into_iter()
                .map(|(_, review)| review.clone())
                .collect(),
            next_page_token,
        }))
    }

    async fn list_news(
        &self,
        request: Request<api::ListNewsRequest>,
    ) -> Reply<api::ListNewsResponse> {
        let request = request.into_inner();
        let page = PageRequest::parse_sized(
            request.page_size,
            &request.page_token,
            &["news"],
            PAGE_SIZE_DEFAULT,
        );
        let page = page.map_err(AnswerError::Invalid)?;
        let (news, next_page_token) = self.content().news.page(&page, |_| true);
        Ok(Response::new(api::ListNewsResponse {
            news,
            next_page_token,
        }))
    }

    async fn list_promos(
        &self,
        request: Request<api::ListPromosRequest>,
    ) -> Reply<api::ListPromosResponse> {
        let request = request.into_inner();
        let mut violations = Violations::default();
        let placement = optional(Line::parse(&request.placement, PLACEMENT_CHARS_MAX));
        let placement = violations.take("placement", placement).flatten();
        let placement = placement.as_ref().map_or("", Line::as_str);
        let filter = ["promos", placement];
        let page = PageRequest::parse(request.page_size, &request.page_token, &filter);
        let page = page_unless_wrong(violations.into_vec(), page).map_err(AnswerError::Invalid)?;
        let is_wanted = |promo: &api::Promo| placement.is_empty() || promo.placement == placement;
        let (promos, next_page_token) = self.content().promos.page(&page, is_wanted);
        Ok(Response::new(api::ListPromosResponse {
            promos,
            next_page_token,
        }))
    }

    async fn list_health_news(
        &self,
        request: Request<api::ListHealthNewsRequest>,
    ) -> Reply<api::ListHealthNewsResponse> {
        let request = request.into_inner();
        let page = page("headlines", request.page_size, &request.page_token)?;
        let content = self.content();
        let (headlines, next_page_token) = page.cut(&content.headlines, |(id, _)| id, |_| true);
        Ok(Response::new(api::ListHealthNewsResponse {
            headlines: headlines
                .into_iter()
                .map(|(_, text)| text.clone())
                .collect(),
            next_page_token,
        }))
    }

    async fn get_page(&self, request: Request<api::GetPageRequest>) -> Reply<api::GetPageResponse> {
        let (content, name) = (self.content(), &request.get_ref().page);
        let page = content.pages.get(name);
        let page = Some(found(&content, page, "page", ("/", name))?.clone());
        Ok(Response::new(api::GetPageResponse { page }))
    }

    async fn search(&self, request: Request<api::SearchRequest>) -> Reply<api::SearchResponse> {
        let (query, page) = search_query(request.get_ref())?;
        let mut results = self.posts.search(query).await;
        language::translate_results(&mut results.entries);
        let (entries, next_page_token) = page.cut(&results.entries, |entry| &entry.key, |_| true);
        Ok(Response::new(api::SearchResponse {
            results: entries.into_iter().map(search_result).collect(),
            next_page_token,
            corrected: results.corrected,
        }))
    }

    async fn list_blogs(
        &self,
        request: Request<api::ListBlogsRequest>,
    ) -> Reply<api::ListBlogsResponse> {
        let mut request = request.into_inner();
        language::to_english(&mut request.category);
        let mut list = self.blog_list(&request).await?;
        list.blogs.iter_mut().for_each(language::translate);
        Ok(Response::new(list))
    }

    async fn get_blog(&self, request: Request<api::GetBlogRequest>) -> Reply<api::GetBlogResponse> {
        let mut blog = self.blog(&request.get_ref().blog).await?;
        language::translate(&mut blog);
        Ok(Response::new(api::GetBlogResponse { blog: Some(blog) }))
    }

    async fn create_blog(
        &self,
        request: Request<api::CreateBlogRequest>,
    ) -> Reply<api::CreateBlogResponse> {
        let caller = self.authorize(&request)?;
        let (blog, replayed) = self.create(request.get_ref(), &caller).await?;
        let response = api::CreateBlogResponse { blog: Some(blog) };
        Ok(creation::reply(response, replayed))
    }

    async fn update_blog(
        &self,
        request: Request<api::UpdateBlogRequest>,
    ) -> Reply<api::UpdateBlogResponse> {
        let caller = self.authorize(&request)?;
        let blog = Some(self.update(request.get_ref(), &caller).await?);
        Ok(Response::new(api::UpdateBlogResponse { blog }))
    }

    async fn delete_blog(
        &self,
        request: Request<api::DeleteBlogRequest>,
    ) -> Reply<api::DeleteBlogResponse> {
        let caller = self.authorize(&request)?;
        self.delete(request.get_ref(), &caller).await?;
        Ok(Response::new(api::DeleteBlogResponse {}))
    }
}

fn search_query(request: &api::SearchRequest) -> Result<(String, PageRequest), AnswerError> {
    let mut violations = Violations::default();
    let query = Line::parse(&request.q, QUERY_CHARS_MAX)
        .map_err(|problem| problem.if_empty("Enter what you're looking for"));
    let query = violations.take("q", query);
    let query = query.map_or_else(String::new, |query| query.as_str().to_lowercase());
    let filter = ["search", &query];
    let page = PageRequest::parse_sized(
        request.page_size,
        &request.page_token,
        &filter,
        PAGE_SIZE_DEFAULT,
    );
    let page = page_unless_wrong(violations.into_vec(), page)?;
    Ok((query, page))
}

/// Returns the page, or every violation of the page and of the other fields.
fn page_unless_wrong(
    violations: Vec<Violation>,
    page: Result<PageRequest, Vec<Violation>>,
) -> Result<PageRequest, Vec<Violation>> {
    match page {
        Ok(page) if violations.is_empty() => Ok(page),
        Ok(_) => Err(violations),
        Err(more) => Err([violations, more].concat()),
    }
}

fn search_result(entry: &Entry) -> api::SearchResult {
    api::SearchResult {
        kind: entry.kind.to_string(),
        title: entry.title.clone(),
        summary: entry.summary.clone(),
        path: entry.key.clone(),
    }
}

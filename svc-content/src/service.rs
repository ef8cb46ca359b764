//! The RPCs: parse, one question to the content, reply.

use std::sync::Arc;

use hospital_proto::content::v1::{
    GetSiteRequest, GetSiteResponse, ListDepartmentProfilesRequest, ListDepartmentProfilesResponse,
    ListDoctorsRequest, ListDoctorsResponse, content_service_server::ContentService,
};
use tonic::{Request, Response, Status};

use crate::{
    domain::{Content, DepartmentQuery, DoctorQuery},
    error::QueryError,
};

#[derive(Debug)]
pub(crate) struct ContentOfRecord(pub(crate) Arc<Content>);

#[tonic::async_trait]
impl ContentService for ContentOfRecord {
    async fn get_site(
        &self,
        _request: Request<GetSiteRequest>,
    ) -> Result<Response<GetSiteResponse>, Status> {
        Ok(Response::new(GetSiteResponse {
            site: Some(self.0.site.clone()),
        }))
    }

    async fn list_doctors(
        &self,
        request: Request<ListDoctorsRequest>,
    ) -> Result<Response<ListDoctorsResponse>, Status> {
        let query = DoctorQuery::parse(request.get_ref()).map_err(QueryError::Invalid)?;
        let (doctors, next_page_token) = self.0.doctors(&query);
        Ok(Response::new(ListDoctorsResponse {
            doctors,
            next_page_token,
            specialties: self.0.specialties.clone(),
        }))
    }

    async fn list_department_profiles(
        &self,
        request: Request<ListDepartmentProfilesRequest>,
    ) -> Result<Response<ListDepartmentProfilesResponse>, Status> {
        let query = DepartmentQuery::parse(request.get_ref()).map_err(QueryError::Invalid)?;
        let (department_profiles, next_page_token) = self.0.department_profiles(&query);
        Ok(Response::new(ListDepartmentProfilesResponse {
            department_profiles,
            next_page_token,
        }))
    }
}

//! The routes. All of them are read-only, so all may be shared and cached.

mod compare;
mod list;
mod live;
mod run;

use crate::app::App;
use crate::failure::PageFailure;
use crate::guard::guard;
use crate::request::PageRequest;
use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;
use std::convert::Infallible;
use std::sync::Arc;

/// All addresses, behind the gate.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(list::page))
        .route("/run/{id}", get(run::page))
        .route("/run/{id}/{file}", get(run::file))
        .route("/compare", get(compare::page))
        .route("/compare/{file}", get(compare::file))
        .route("/live.json", get(live::all))
        .route("/live/{id}", get(live::page))
        .route("/live/{id}/feed", get(live::feed))
        .route("/assets/{name}", get(asset))
        .fallback(nowhere)
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

impl FromRequestParts<Arc<App>> for PageRequest {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<PageRequest, Infallible> {
        Ok(PageRequest::of(parts, app.lang))
    }
}

async fn asset(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = app.assets.get(&name, &headers);
    found.unwrap_or_else(|| app.failed(&asked, &PageFailure::Nowhere))
}

async fn nowhere(State(app): State<Arc<App>>, asked: PageRequest) -> Response {
    app.failed(&asked, &PageFailure::Nowhere)
}

/// The answer, or the page with the reason why there is none.
fn answer(app: &App, asked: &PageRequest, made: Result<Response, PageFailure>) -> Response {
    made.unwrap_or_else(|failure| app.failed(asked, &failure))
}

//! A cluster behind a blocking client: requests for objects as JSON.

use crate::access::ClusterAccess;
use crate::answer::AnswerLimit;
use crate::client::ApiClient;
use crate::error::KubeError;
use http::Request;
use serde_json::Value;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// How long one request may take.
pub(crate) const REQUEST: Duration = Duration::from_secs(30);

/// Kinds of objects of a namespace, by their paths on the server.
pub(crate) mod kinds {
    /// A kind: the parts of its path before and after the namespace.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct ObjectKind(pub(crate) &'static str, pub(crate) &'static str);

    pub(crate) const JOBS: ObjectKind = ObjectKind("/apis/batch/v1", "jobs");
    pub(crate) const PODS: ObjectKind = ObjectKind("/api/v1", "pods");
    pub(crate) const CLAIMS: ObjectKind = ObjectKind("/api/v1", "persistentvolumeclaims");
    pub(crate) const EVENTS: ObjectKind = ObjectKind("/api/v1", "events");
    pub(crate) const SNAPSHOTS: ObjectKind =
        ObjectKind("/apis/snapshot.storage.k8s.io/v1", "volumesnapshots");
    pub(crate) const CONFIG_MAPS: ObjectKind = ObjectKind("/api/v1", "configmaps");
}

use kinds::ObjectKind;

/// A cluster, and the namespace in it that is worked in.
pub struct Cluster {
    runtime: Runtime,
    client: ApiClient,
    namespace: String,
}

impl Cluster {
    /// Creates a client, without a request to the cluster.
    ///
    /// # Errors
    /// If no cluster is configured.
    pub fn connect(access: &ClusterAccess) -> Result<Cluster, KubeError> {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(KubeError::Runtime)?;
        let client = runtime.block_on(async {
            let (config, bearer) = access.settings().await?;
            ApiClient::new(config, bearer).map_err(|why| KubeError::of("a client", why))
        })?;
        let namespace = client.default_namespace().to_owned();
        Ok(Cluster { runtime, client, namespace })
    }

    /// The namespace for new objects.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    pub(crate) fn client(&self) -> &ApiClient {
        &self.client
    }

    pub(crate) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Starts work that continues whenever a caller waits for this cluster.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.runtime.spawn(work)
    }

    /// Waits, while started work continues.
    pub fn pause(&self, time: Duration) {
        // Made within, since a timer needs its runtime.
        self.block_on(async { tokio::time::sleep(time).await });
    }

    /// The path of a kind, or of the object `name` of it.
    pub(crate) fn path(&self, kind: ObjectKind, name: &str) -> String {
        let path = format!("{}/namespaces/{}/{}", kind.0, self.namespace, kind.1);
        if name.is_empty() { path } else { format!("{path}/{name}") }
    }

    fn request(&self, what: &str, request: Request<Vec<u8>>) -> Result<Value, KubeError> {
        let answer = self
            .runtime
            .block_on(async { tokio::time::timeout(REQUEST, self.client.request(request)).await });
        match answer {
            // Every answer is an object, that to a removal as well.
            Ok(Ok(answer)) if !answer.is_object() => Err(unusable(what, "it is no object")),
            Ok(answer) => answer.map_err(|why| KubeError::of(what, why)),
            Err(_) => Err(KubeError::Connection {
                what: what.to_owned(),
                why: format!("no answer within {} s", REQUEST.as_secs()),
            }),
        }
    }

    fn send(&self, what: &str, method: &str, path: &str, body: &Value) -> Result<Value, KubeError> {
        self.send_within(AnswerLimit::Object, what, (method, path), body)
    }

    fn send_within(
        &self,
        limit: AnswerLimit,
        what: &str,
        (method, path): (&str, &str),
        body: &Value,
    ) -> Result<Value, KubeError> {
        let content_type = match method {
            "PATCH" => "application/merge-patch+json",
            _ => "application/json",
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .extension(limit)
            .header("content-type", content_type)
            .body(if body.is_null() { Vec::new() } else { body.to_string().into_bytes() });
        let refused =
            |why: http::Error| KubeError::Refused { what: what.to_owned(), why: why.to_string() };
        self.request(what, request.map_err(refused)?)
    }

    /// An object; none if it does not exist.
    pub(crate) fn get(&self, what: &str, path: &str) -> Result<Option<Value>, KubeError> {
        match self.send(what, "GET", path, &Value::Null) {
            Ok(object) => Ok(Some(object)),
            Err(KubeError::NotFound { .. }) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The objects at a path, filtered by `selector` if it is not empty.
    pub(crate) fn list(
        &self,
        what: &str,
        path: &str,
        selector: &str,
    ) -> Result<Vec<Value>, KubeError> {
        let query = match selector {
            "" => String::new(),
            text => {
                let text = text.replace('=', "%3D").replace(',', "%2C").replace('/', "%2F");
                format!("?labelSelector={text}")
            }
        };
        let request = ("GET", &*format!("{path}{query}"));
        let mut list = self.send_within(AnswerLimit::List, what, request, &Value::Null)?;
        match list.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) => Ok(items),
            // An empty list of Go's.
            Some(Value::Null) => Ok(Vec::new()),
            _ => Err(unusable(what, "it holds no list")),
        }
    }

    /// Changes fields of an object, and gives it as the server has it then.
    pub(crate) fn patch(&self, what: &str, path: &str, fields: &Value) -> Result<Value, KubeError> {
        self.send(what, "PATCH", path, fields)
    }

    /// Makes an object, and gives it as the server has it.
    pub(crate) fn create(
        &self,
        what: &str,
        path: &str,
        object: &Value,
    ) -> Result<Value, KubeError> {
        self.send(what, "POST", path, object)
    }

    /// Removes an object with its dependents; a missing one is no error.
    pub(crate) fn delete(&self, what: &str, path: &str) -> Result<(), KubeError> {
        let options = serde_json::json!({
            "kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background",
        });
        match self.send(what, "DELETE", path, &options) {
            Ok(_) | Err(KubeError::NotFound { .. }) => Ok(()),
            Err(why) => Err(why),
        }
    }

    /// The server's object at a path; none if it does not exist.
    ///
    /// # Errors
    /// If the cluster does not answer, or refuses.
    pub fn object(&self, path: &str) -> Result<Option<Value>, KubeError> {
        self.get(path, path)
    }

    /// A StorageClass, as the server has it.
    ///
    /// # Errors
    /// If there is none with that name.
    pub fn class(&self, name: &str) -> Result<Value, KubeError> {
        self.check_class(name)?;
        let path = format!("/apis/storage.k8s.io/v1/storageclasses/{name}");
        Ok(self.get("StorageClass", &path)?.unwrap_or_default())
    }

    /// A text of a ConfigMap: that of `key`, or the only one.
    ///
    /// # Errors
    /// If there is no such ConfigMap or text.
    pub fn config_text(&self, name: &str, key: Option<&str>) -> Result<String, KubeError> {
        let what = format!("ConfigMap {name} in namespace {}", self.namespace);
        let missing = |why: String| KubeError::NotFound { what: what.clone(), why };
        let map = self.get(&what, &self.path(kinds::CONFIG_MAPS, name))?;
        let map = map.ok_or_else(|| missing("it is not there".to_owned()))?;
        let texts: Vec<(&String, &Value)> = map["data"].as_object().into_iter().flatten().collect();
        let keys: Vec<&str> = texts.iter().map(|(key, _)| key.as_str()).collect();
        let meant = match (key, texts.as_slice()) {
            (Some(key), texts) => texts.iter().find(|(name, _)| *name == key),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let text = meant.and_then(|(_, text)| text.as_str());
        text.map(str::to_owned)
            .ok_or_else(|| missing(format!("it has {}; name one as {name}/KEY", keys.join(", "))))
    }
}

fn unusable(what: &str, why: &str) -> KubeError {
    KubeError::Answer { what: what.to_owned(), why: why.to_owned() }
}

/// A text in an object, by its JSON pointer; empty if missing.
pub(crate) fn text<'a>(object: &'a Value, pointer: &str) -> &'a str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The name of an object.
pub(crate) fn name(object: &Value) -> &str {
    text(object, "/metadata/name")
}

/// The members of a list in an object.
pub(crate) fn members<'a>(object: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    object.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

//! A missing right, from the server's refusal, and the command that grants it.
//!
//! The refusal is parsed, not the request: only it names the user, and which of several rights is
//! missing.

use fathom_vocab::shell::quoted;

/// The right that the API server's authorization did not find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissingRight {
    user: String,
    verb: String,
    /// As RBAC names it: `jobs.batch`, `pods/exec`.
    resource: String,
    /// None for objects outside namespaces.
    namespace: Option<String>,
}

impl MissingRight {
    /// The right in a refusal: `pods is forbidden: User "u" cannot list resource "pods" in API
    /// group "" in the namespace "n"`. None if something else refuses.
    pub(crate) fn of(refusal: &str) -> Option<MissingRight> {
        let (_, rest) = refusal.split_once(" is forbidden: User \"")?;
        let (user, rest) = rest.split_once("\" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \"")?;
        let (resource, rest) = rest.split_once("\" in API group \"")?;
        let (group, rest) = rest.split_once('"')?;
        let namespace =
            rest.split_once("in the namespace \"").and_then(|(_, of)| of.split_once('"'));
        let resource = match (group, resource.split_once('/')) {
            ("", _) => resource.to_owned(),
            (group, None) => format!("{resource}.{group}"),
            (group, Some((whole, part))) => format!("{whole}.{group}/{part}"),
        };
        Some(MissingRight {
            user: user.to_owned(),
            verb: verb.to_owned(),
            resource,
            namespace: namespace.map(|(name, _)| name.to_owned()),
        })
    }

    /// The right as text, and the command that an administrator may run.
    pub(crate) fn advice(&self) -> String {
        let MissingRight { verb, resource, .. } = self;
        let name: String = format!("fathom-{verb}-{resource}").replace(['/', '.'], "-");
        let (kind, place, within) = match &self.namespace {
            Some(namespace) => {
                ("role", format!("in namespace {namespace}"), format!(" -n {namespace}"))
            }
            None => ("clusterrole", "for the cluster".to_owned(), String::new()),
        };
        let binding = format!("{kind}binding");
        format!(
            "the right `{verb} {resource}` {place} is missing: `kubectl create {kind} {name} \
             --verb={verb} --resource={resource}{within} && kubectl create {binding} {name} \
             --{kind}={name} {}{within}` grants it, and docs/kube-rbac.yaml has all that Fathom \
             uses",
            self.subject()
        )
    }

    /// The refused user, as an option of kubectl's.
    fn subject(&self) -> String {
        match self.user.strip_prefix("system:serviceaccount:") {
            Some(account) => format!("--serviceaccount={account}"),
            None => format!("--user={}", quoted(&self.user)),
        }
    }
}

/// Advice on a refusal.
pub(crate) fn advice(refusal: &str) -> String {
    MissingRight::of(refusal).map_or_else(
        || "ask for the rights of docs/kube-rbac.yaml, or choose another --namespace".to_owned(),
        |right| right.advice(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_right_and_the_command_that_grants_it() {
        let said = "jobs.batch is forbidden: User \"system:serviceaccount:team:fathom\" cannot \
                    create resource \"jobs\" in API group \"batch\" in the namespace \"bench\"";
        assert_eq!(
            advice(said),
            "the right `create jobs.batch` in namespace bench is missing: `kubectl create role \
             fathom-create-jobs-batch --verb=create --resource=jobs.batch -n bench && kubectl \
             create rolebinding fathom-create-jobs-batch --role=fathom-create-jobs-batch \
             --serviceaccount=team:fathom -n bench` grants it, and docs/kube-rbac.yaml has all \
             that Fathom uses"
        );
        let said = "pods \"p\" is forbidden: User \"eve\" cannot create resource \"pods/exec\" in \
                    API group \"\" in the namespace \"bench\"";
        let advice = advice(said);
        assert!(advice.contains("fathom-create-pods-exec --verb=create --resource=pods/exec -n"));
        assert!(advice.contains("--user=eve"), "{advice}");
    }

    #[test]
    fn what_belongs_to_no_namespace_is_granted_for_the_cluster() {
        let said = "storageclasses.storage.k8s.io is forbidden: User \"eve\" cannot list resource \
                    \"storageclasses\" in API group \"storage.k8s.io\" at the cluster scope";
        let advice = advice(said);
        assert!(
            advice.contains("`list storageclasses.storage.k8s.io` for the cluster"),
            "{advice}"
        );
        assert!(advice.contains("clusterrolebinding ") && advice.contains("--clusterrole="));
        assert!(!advice.contains(" -n "), "{advice}");
    }

    #[test]
    fn what_no_right_is_missing_for_has_the_usual_advice() {
        assert_eq!(MissingRight::of("pods \"p\" is forbidden: violates PodSecurity"), None);
        assert!(advice("no").contains("docs/kube-rbac.yaml"));
    }
}

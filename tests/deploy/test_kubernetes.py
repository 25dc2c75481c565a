"""The manifests: the schemas of Kubernetes, the Procfile's processes, and that what names another thing finds it."""

from collections.abc import Mapping
from typing import Any

import kubernetes_validate
import pytest

from service.verification.signing_keys import FILE as SIGNING_KEYS
from tests.deploy.files import DEPLOY, PROCESSES, SETTINGS, command, containers, manifests, pod, workloads

VERSIONS = ("1.31.0", "1.37.0")
"""The oldest that is looked at, and the newest whose schemas are here."""
MANIFESTS = manifests()
WORKLOADS = workloads()


def named(kind: str) -> dict[str, dict[str, Any]]:
    """The manifests of a kind, by name."""
    return {each["metadata"]["name"]: each for each in MANIFESTS if each["kind"] == kind}


def matches(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Whether a selector chooses what has these labels."""
    return all(labels.get(name) == value for name, value in selector.get("matchLabels", {}).items()) and all(
        each["operator"] == "In" and labels.get(each["key"]) in each["values"]
        for each in selector.get("matchExpressions", [])
    )


def labels(name: str) -> dict[str, str]:
    """The labels of a workload's pods."""
    return dict(WORKLOADS[name]["spec"]["template"]["metadata"]["labels"])


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifests_keep_to_the_schemas(version: str) -> None:
    """With no word that Kubernetes does not know; and a misspelled one is noticed."""
    for each in MANIFESTS:
        kubernetes_validate.validate(each, version, strict=True)
    (budget,) = named("PodDisruptionBudget").values()
    wrong = budget | {"spec": budget["spec"] | {"minAvailible": 1}}
    with pytest.raises(kubernetes_validate.ValidationError, match="minAvailible"):
        kubernetes_validate.validate(wrong, version, strict=True)


def test_every_file_is_named() -> None:
    """One that the kustomization does not name is applied by nobody."""
    text = (DEPLOY / "kubernetes" / "kustomization.yaml").read_text()
    files = {path.name for path in (DEPLOY / "kubernetes").iterdir()} - {"kustomization.yaml"}
    assert {name for name in files if f"- {name}\n" in text} == files
    assert "- ../valkey\n" in text


def test_there_is_a_workload_for_each_process_with_its_very_command() -> None:
    """The store's place is taken by a Valkey of its own."""
    assert set(WORKLOADS) == {*PROCESSES, "store"}
    for name in PROCESSES:
        (container,) = pod(WORKLOADS[name])["containers"]
        assert container["command"] == command(name)
        assert container["image"] == "fieldbook"


@pytest.mark.parametrize("name", WORKLOADS)
def test_each_pod_may_as_little_as_it_needs(name: str) -> None:
    """Not root, a root that cannot be written, no capability, no word with the cluster, a bound on memory."""
    spec = pod(WORKLOADS[name])
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in containers(WORKLOADS[name]):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("name", PROCESSES)
def test_each_process_finds_what_it_needs(name: str) -> None:
    """Settings that there are, the store's address from its Secret, a data folder and a /tmp, and time to end."""
    (container,) = pod(WORKLOADS[name])["containers"]
    settings = {each["name"]: each for each in container["env"]} | named("ConfigMap")["fieldbook"]["data"]
    assert set(settings) <= SETTINGS
    assert settings["REDIS_URL"]["valueFrom"]["secretKeyRef"] == {"name": "fieldbook-store", "key": "url"}
    assert {each["mountPath"] for each in container["volumeMounts"]} == {"/var/lib/fieldbook", "/tmp"}  # noqa: S108
    assert pod(WORKLOADS[name])["terminationGracePeriodSeconds"] >= 20


@pytest.mark.parametrize("name", PROCESSES)
def test_whoever_signs_has_the_key_of_all(name: str) -> None:
    """The web, the worker and the projector: with none they would make one of their own, each another one."""
    keys = [each["command"] for each in pod(WORKLOADS[name]).get("initContainers", [])]
    copied = ["install", "--mode=0600", f"/keys/{SIGNING_KEYS}", f"/var/lib/fieldbook/{SIGNING_KEYS}"]
    assert keys == ([copied] if name in {"web", "worker", "projector"} else [])


def test_nobody_is_killed_because_the_store_is_away() -> None:
    """Liveness asks /healthz, which knows nothing of the store; readiness asks /readyz. The others are not asked."""
    (web,) = pod(WORKLOADS["web"])["containers"]
    asked = {name: web[name]["httpGet"]["path"] for name in web if name.endswith("Probe")}
    assert asked == {"startupProbe": "/healthz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}
    for name in set(WORKLOADS) - {"web"}:
        assert all("livenessProbe" not in each for each in containers(WORKLOADS[name]))


def test_what_names_pods_finds_them() -> None:
    """Services, the autoscaler, the disruption budget, and each policy of the network."""
    for name, workload in WORKLOADS.items():
        assert matches(workload["spec"]["selector"], labels(name))
    for name, service in named("Service").items():
        assert matches({"matchLabels": service["spec"]["selector"]}, labels(name))
    (scaler,) = named("HorizontalPodAutoscaler").values()
    assert scaler["spec"]["scaleTargetRef"]["name"] == "web"
    (budget,) = named("PodDisruptionBudget").values()
    assert matches(budget["spec"]["selector"], labels("web"))
    assert budget["spec"]["minAvailable"] < scaler["spec"]["minReplicas"]


def test_the_network_lets_through_what_is_needed_and_nothing_else() -> None:
    """All processes reach the store, and only they do; nothing is reached from outside but the HTTP interface."""
    policies = named("NetworkPolicy")
    assert policies["nothing-but-names"]["spec"]["podSelector"] == {}
    entered = {
        name
        for name in WORKLOADS
        for policy in policies.values()
        if policy["spec"].get("ingress") and matches(policy["spec"]["podSelector"], labels(name))
    }
    assert entered == {"store", "web"}
    (allowed,) = policies["store"]["spec"]["ingress"]
    reaching = policies["processes-reach-the-store"]["spec"]
    assert allowed["from"] == [{"podSelector": reaching["podSelector"]}]
    assert {name for name in WORKLOADS if matches(reaching["podSelector"], labels(name))} == set(PROCESSES)
    outside = policies["public-internet"]["spec"]["podSelector"]
    assert not any(matches(outside, labels(name)) for name in ("store", "bots"))


def test_no_secret_lies_in_the_tree() -> None:
    """They are made by hand, as docs/deploying.md says."""
    assert not named("Secret")

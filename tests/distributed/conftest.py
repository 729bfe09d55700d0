from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NODES = 2


@pytest.fixture(scope="session")
def head():
    """A head that only keeps the books, with a cluster's nodes to come; connected for the whole session."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    ray.init(
        address=nodes.address,
        runtime_env={"env_vars": {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}},
        log_to_driver=False,
        logging_level="ERROR",
    )
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def cluster(head):
    """Two nodes, each a raylet of its own with two workers; those that a test has killed are replaced."""
    while len(head.worker_nodes) < NODES:
        head.add_node(num_cpus=2)
    head.wait_for_nodes()
    return head


@pytest.fixture
def kill_one(cluster):
    """Kills one of the nodes, without a word to the cluster."""
    return lambda: cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

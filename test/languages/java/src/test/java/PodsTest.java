import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists and evicts pods with the kubeconfig as the server wrote it. */
@ExtendWith(Kubeloom.class)
class PodsTest {
  private static final String NAME = "web";

  @Test
  void podsAreListed(KubernetesClient client) {
    create(client);
    List<Pod> pods = client.pods().inNamespace("default").list().getItems();
    assertEquals(List.of(NAME), pods.stream().map(pod -> pod.getMetadata().getName()).toList());
  }

  @Test
  void aPodIsEvicted(KubernetesClient client) {
    create(client);
    assertTrue(pod(client).evict());
    assertNull(pod(client).get());
  }

  @Test
  void aPodIsEvictedByV1(KubernetesClient client) {
    create(client);
    var eviction = new EvictionBuilder().withNewMetadata().withNamespace("default").withName(NAME).endMetadata().build();
    assertTrue(pod(client).evict(eviction));
    assertNull(pod(client).get());
  }

  private static PodResource pod(KubernetesClient client) {
    return client.pods().inNamespace("default").withName(NAME);
  }

  private static void create(KubernetesClient client) {
    var pod = new PodBuilder()
        .withNewMetadata().withName(NAME).endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("nginx").endContainer().endSpec()
        .build();
    client.pods().inNamespace("default").resource(pod).create();
  }
}

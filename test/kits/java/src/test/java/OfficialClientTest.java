import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.kubeloom.junit.Kubeloom;
import dev.kubeloom.junit.KubeloomServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.StringReader;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@Kubeloom(flags = "--clock=manual")
class OfficialClientTest {
  @Test
  void theOfficialClientWorks(KubeloomServer server) throws Exception {
    var client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
    assertEquals("default", new CoreV1Api(client).readNamespace("default").execute().getMetadata().getName());
  }

  @RepeatedTest(2)
  void eachTestBeginsWithANewCluster(KubernetesClient client) {
    var settings = new ConfigMapBuilder().withNewMetadata().withName("settings").endMetadata().build();
    client.configMaps().inNamespace("default").resource(settings).create();
  }
}

import { join } from 'node:path';
import type { Template } from './template.ts';

export const java: Template = {
  name: 'java',
  about: 'a test of an operator, with JUnit 5 and fabric8',
  files: () => ({ 'src/test/java/OperatorTest.java': javaTest }),
  commands: ({ kits }) => [
    ...(kits === undefined ? [] : [`mvn --file ${join(kits, 'java/pom.xml')} install`]),
    '# in pom.xml: the test dependency dev.kubeloom:kubeloom-junit',
    'mvn test',
  ],
  document: 'kits/java/README.md',
};

const javaTest = `import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.kubeloom.junit.Controls.Fault;
import dev.kubeloom.junit.Controls.FaultOccurrence;
import dev.kubeloom.junit.Controls.FaultPlanSpec;
import dev.kubeloom.junit.Controls.RequestMatch;
import dev.kubeloom.junit.Controls.StatusFault;
import dev.kubeloom.junit.Kubeloom;
import dev.kubeloom.junit.KubeloomServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One server for all tests. Each test begins with the objects of a new cluster. */
@Kubeloom
class OperatorTest {
  private final ConfigMap settings =
      new ConfigMapBuilder().withNewMetadata().withName("settings").endMetadata().withData(Map.of("size", "1")).build();

  @Test
  void aConfigMapIsStored(KubernetesClient client) {
    // Start your operator with this client, or with the kubeconfig of a parameter KubeloomServer.
    client.configMaps().inNamespace("default").resource(settings).create();
    // waits until the object is as expected, for example after the operator has changed it
    ConfigMap found = KubeloomServer.eventually(
        () -> client.configMaps().inNamespace("default").withName("settings").get(), Objects::nonNull, Duration.ofSeconds(4));
    assertEquals(Map.of("size", "1"), found.getData());
  }

  @Test
  void aForbiddenWriteFails(KubeloomServer server, KubernetesClient client) {
    server.fault(new FaultPlanSpec()
        .match(new RequestMatch().verbs(List.of("create")).resources(List.of("configmaps")))
        .occurrence(new FaultOccurrence().count(1))
        .fault(new Fault().status(new StatusFault().code(403))));
    var refusal = assertThrows(
        KubernetesClientException.class, () -> client.configMaps().inNamespace("default").resource(settings).create());
    assertEquals(403, refusal.getCode());
  }
}
`;

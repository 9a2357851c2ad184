import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.kubeloom.junit.Controls.Fault;
import dev.kubeloom.junit.Controls.FaultOccurrence;
import dev.kubeloom.junit.Controls.FaultPlanSpec;
import dev.kubeloom.junit.Controls.RequestLogReviewSpec;
import dev.kubeloom.junit.Controls.RequestMatch;
import dev.kubeloom.junit.Controls.ServerForkSpec;
import dev.kubeloom.junit.Controls.SettledReviewSpec;
import dev.kubeloom.junit.Controls.SnapshotRestoreSpec;
import dev.kubeloom.junit.Controls.StatusFault;
import dev.kubeloom.junit.Kubeloom;
import dev.kubeloom.junit.KubeloomServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scenarios that all kits share, each with a fork. */
class ScenariosTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private final Map<String, Consumer<KubeloomServer>> scenarios = new HashMap<>();

  ScenariosTest() {
    scenarios.put("start-serves", server ->
        assertEquals("default", server.client().namespaces().withName("default").get().getMetadata().getName()));
    scenarios.put("kubeconfig-works", server -> {
      try (KubernetesClient other = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.kubeconfig())).build()) {
        assertEquals("default", other.namespaces().withName("default").get().getMetadata().getName());
      }
    });
    scenarios.put("flags-are-passed", server -> {
      try (KubeloomServer other = KubeloomServer.start("--kubernetes-version=1.33")) {
        assertEquals("33", other.client().getKubernetesVersion().getMinor());
      }
    });
    scenarios.put("close-ends", server -> {
      KubeloomServer other = KubeloomServer.start();
      String kubeconfig = other.kubeconfig();
      other.close();
      assertServesNoMore(kubeconfig);
    });
    scenarios.put("start-fails-with-output", server ->
        assertContains("--storage", assertThrows(IllegalStateException.class, () -> KubeloomServer.start("--storage=paper"))));
    scenarios.put("reset-undoes", server -> {
      create(server, "settings");
      server.reset();
      assertEquals(List.of(), names(server));
    });
    scenarios.put("snapshot-counts", server -> {
      long before = server.snapshot().objects();
      create(server, "settings");
      assertEquals(before + 1, server.snapshot().objects());
    });
    scenarios.put("restore-brings-back", server -> {
      create(server, "settings");
      String snapshot = server.snapshot().name();
      server.client().configMaps().inNamespace("default").withName("settings").delete();
      server.restore(new SnapshotRestoreSpec().snapshot(snapshot));
      assertEquals(List.of("settings"), names(server));
    });
    scenarios.put("restore-needs-snapshot", server -> assertContains("unknown",
        assertThrows(KubernetesClientException.class, () -> server.restore(new SnapshotRestoreSpec().snapshot("unknown")))));
    scenarios.put("fork-has-objects", server -> {
      create(server, "settings");
      try (KubeloomServer fork = server.fork()) {
        assertEquals(List.of("settings"), names(fork));
      }
    });
    scenarios.put("fork-is-apart", server -> {
      try (KubeloomServer fork = server.fork()) {
        create(server, "origin");
        create(fork, "fork");
        assertEquals(List.of("origin"), names(server));
        assertEquals(List.of("fork"), names(fork));
      }
    });
    scenarios.put("fork-of-snapshot", server -> {
      create(server, "before");
      String snapshot = server.snapshot().name();
      create(server, "after");
      try (KubeloomServer fork = server.fork(new ServerForkSpec().snapshot(snapshot))) {
        assertEquals(List.of("before"), names(fork));
      }
    });
    scenarios.put("closed-fork-ends", server -> {
      KubeloomServer fork = server.fork();
      fork.close();
      assertServesNoMore(fork.kubeconfig());
      create(server, "settings");
    });
    scenarios.put("clock-advances", server -> {
      var first = server.advance(Duration.ofSeconds(1));
      assertEquals(Duration.ofMinutes(5), Duration.between(first, server.advance(Duration.ofMinutes(5))));
    });
    scenarios.put("clock-needs-manual", server -> {
      try (KubeloomServer other = KubeloomServer.start()) {
        assertContains("clock", assertThrows(KubernetesClientException.class, () -> other.advance(Duration.ofSeconds(1))));
      }
    });
    scenarios.put("fault-fails-requests", server -> {
      server.fault(conflict());
      assertEquals(409, assertThrows(KubernetesClientException.class, () -> create(server, "settings")).getCode());
    });
    scenarios.put("fault-spares-others", server -> {
      var fault = server.fault(conflict());
      assertEquals(List.of(), names(server));
      assertEquals(0, fault.hits());
    });
    scenarios.put("fault-ends-after-count", server -> {
      server.fault(conflict().occurrence(new FaultOccurrence().count(1)));
      assertThrows(KubernetesClientException.class, () -> create(server, "settings"));
      create(server, "settings");
    });
    scenarios.put("fault-waits-for-hits", server -> {
      var fault = server.fault(conflict());
      var request = CompletableFuture.runAsync(() -> create(server, "settings"));
      fault.waitForHits(1, TIMEOUT);
      assertThrows(Exception.class, request::join);
      assertEquals(1, fault.hits());
    });
    scenarios.put("removed-fault-is-over", server -> {
      server.fault(conflict()).close();
      create(server, "settings");
    });
    scenarios.put("wrong-fault-is-refused", server -> assertContains("\"pods\"",
        assertThrows(KubernetesClientException.class, () -> server.fault(conflict().match(new RequestMatch().resources(List.of("podz")))))));
    scenarios.put("requests-have-codes", server -> {
      Config config = Config.fromKubeconfig(server.kubeconfig());
      config.setUserAgent("my-operator/1");
      try (KubernetesClient other = new KubernetesClientBuilder().withConfig(config).build()) {
        other.configMaps().inNamespace("default").withName("missing").get();
      }
      var found = server.requests(new RequestLogReviewSpec().match(new RequestMatch().userAgents(List.of("my-operator/*"))));
      assertEquals(1, found.size());
      assertEquals(404, found.get(0).code);
      assertEquals("my-operator/1", found.get(0).userAgent);
    });
    scenarios.put("requests-match", server -> {
      create(server, "settings");
      names(server);
      assertEquals(1, server.requests(creates()).size());
    });
    scenarios.put("requests-since", server -> {
      create(server, "first");
      long first = server.requests(creates()).get(0).sequence;
      create(server, "second");
      assertEquals(1, server.requests(creates().since(first)).size());
    });
    scenarios.put("settled-when-idle", server -> server.settled(new SettledReviewSpec().quiet("20ms").timeout("30s")));
    scenarios.put("unsettled-without-controller", server -> assertContains("nobody", assertThrows(AssertionError.class,
        () -> server.settled(new SettledReviewSpec().controllers(List.of("nobody/*")).quiet("10ms").timeout("50ms")))));
    scenarios.put("eventually-waits", server -> {
      CompletableFuture.runAsync(() -> create(server, "settings"));
      KubeloomServer.eventually(() -> names(server), List.of("settings")::equals, TIMEOUT);
    });
    scenarios.put("eventually-fails", server -> assertContains("still small", assertThrows(AssertionError.class,
        () -> KubeloomServer.eventually(() -> "still small", "large"::equals, Duration.ofMillis(50)))));
    scenarios.put("timeline-has-requests", server -> {
      create(server, "settings");
      assertTrue(server.timeline().contains("201 create configmaps default"), server.timeline());
    });
  }

  @TestFactory
  @Kubeloom(flags = "--clock=manual", isolation = Kubeloom.Isolation.NONE)
  Stream<DynamicTest> scenarios(KubeloomServer origin) throws IOException {
    List<String> names = Files.readAllLines(Path.of("scenarios.txt")).stream().map(line -> line.split(":")[0]).toList();
    assertEquals(names.size(), scenarios.size() + MissingExecutableTest.SCENARIOS);
    return names.stream().filter(name -> !name.equals(MissingExecutableTest.SCENARIO)).map(name -> DynamicTest.dynamicTest(name, () -> {
      try (KubeloomServer fork = origin.fork()) {
        scenarios.get(name).accept(fork);
      }
    }));
  }

  private static FaultPlanSpec conflict() {
    return new FaultPlanSpec()
        .match(new RequestMatch().verbs(List.of("create")).resources(List.of("configmaps")))
        .fault(new Fault().status(new StatusFault().code(409)));
  }

  private static RequestLogReviewSpec creates() {
    return new RequestLogReviewSpec().match(
        new RequestMatch().verbs(List.of("create")).resources(List.of("configmaps")).namespaces(List.of("default")));
  }

  private static void create(KubeloomServer server, String name) {
    var object = new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
    server.client().configMaps().inNamespace("default").resource(object).create();
  }

  private static List<String> names(KubeloomServer server) {
    return server.client().configMaps().inNamespace("default").list().getItems().stream()
        .map(item -> item.getMetadata().getName())
        .filter(name -> !name.equals("kube-root-ca.crt"))
        .sorted()
        .collect(Collectors.toList());
  }

  private static void assertServesNoMore(String kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig);
    config.setRequestRetryBackoffLimit(0);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      assertThrows(KubernetesClientException.class, () -> client.namespaces().list());
    }
  }

  private static void assertContains(String text, Throwable error) {
    StringBuilder messages = new StringBuilder();
    for (Throwable each = error; each != null; each = each.getCause()) messages.append(each.getMessage()).append('\n');
    assertTrue(messages.toString().contains(text), messages.toString());
  }
}

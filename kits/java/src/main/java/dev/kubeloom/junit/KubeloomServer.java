package dev.kubeloom.junit;

import dev.kubeloom.junit.Controls.ClockAdvanceSpec;
import dev.kubeloom.junit.Controls.FaultPlanSpec;
import dev.kubeloom.junit.Controls.RequestLogReviewSpec;
import dev.kubeloom.junit.Controls.RequestRecord;
import dev.kubeloom.junit.Controls.ServerForkSpec;
import dev.kubeloom.junit.Controls.SettledReviewSpec;
import dev.kubeloom.junit.Controls.SnapshotRestoreSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running API server, or a fork of one. */
public final class KubeloomServer implements AutoCloseable {
  private static final String GROUP_VERSION = "testing.kubeloom.dev/v1alpha1";
  private static final JsonMapper JSON = new JsonMapper();

  private final String kubeconfig;
  private final KubernetesClient client;
  private final Runnable end;

  private KubeloomServer(String kubeconfig, Runnable end) {
    this.kubeconfig = kubeconfig;
    this.end = end;
    Config config = Config.fromKubeconfig(kubeconfig);
    config.setRequestRetryBackoffLimit(0);
    // busy machines of CI stall for longer than the default of 10 s
    config.setRequestTimeout(60_000);
    config.setConnectionTimeout(60_000);
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  /**
   * Starts a server.
   *
   * @param flags those of {@code kubeloom serve}, as {@code --clock=manual}
   * @throws IllegalStateException with the output of a server that has not started
   */
  public static KubeloomServer start(String... flags) {
    KubeloomProcess process = new KubeloomProcess(flags);
    try {
      return new KubeloomServer(Files.readString(process.kubeconfig()), process::close);
    } catch (IOException error) {
      process.close();
      throw new UncheckedIOException(error);
    } catch (RuntimeException error) {
      process.close();
      throw error;
    }
  }

  /** Returns the administrator's kubeconfig, as text, for any client. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Returns a fabric8 client of the administrator, which ends with the server. */
  public KubernetesClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
    end.run();
  }

  /** Starts a server with the same objects. They are shared until one of the two changes them. */
  public KubeloomServer fork() {
    return fork(new ServerForkSpec());
  }

  /** Starts a server with the objects of a snapshot. */
  public KubeloomServer fork(ServerForkSpec spec) {
    JsonNode fork = create("ServerFork", spec, "fork-");
    String name = fork.at("/metadata/name").asString();
    return new KubeloomServer(fork.at("/status/kubeconfig").asString(), () -> delete("ServerFork", name));
  }

  /** Makes all objects what they were when the server became ready. */
  public void reset() {
    restore(new SnapshotRestoreSpec());
  }

  /** Makes all objects what they were when a snapshot was taken. */
  public void restore(SnapshotRestoreSpec spec) {
    create("SnapshotRestore", spec, null);
  }

  /** Keeps the state of all objects. */
  public Snapshot snapshot() {
    JsonNode snapshot = create("Snapshot", null, "snapshot-");
    return new Snapshot(snapshot.at("/metadata/name").asString(), snapshot.at("/status/objects").asLong());
  }

  /** A kept state, and how many objects it has. */
  public record Snapshot(String name, long objects) {}

  /** Lets time pass on a server with {@code --clock=manual}, and returns the new time. All that is due happens before. */
  public Instant advance(Duration duration) {
    ClockAdvanceSpec spec = new ClockAdvanceSpec().duration(duration.toMillis() + "ms");
    return Instant.parse(create("ClockAdvance", spec, null).at("/status/now").asString());
  }

  /** Makes requests fail until the fault is closed. */
  public Fault fault(FaultPlanSpec spec) {
    return new Fault(create("FaultPlan", spec, "fault-").at("/metadata/name").asString());
  }

  /** Makes requests fail. */
  public final class Fault implements AutoCloseable {
    private final String name;

    private Fault(String name) {
      this.name = name;
    }

    /** Returns how many requests have failed. */
    public long hits() {
      return read(client.raw(path("FaultPlan") + "/" + name, "GET", null)).at("/status/hits").asLong();
    }

    /** Returns when so many requests have failed. */
    public void waitForHits(long hits, Duration timeout) {
      eventually(this::hits, now -> now >= hits, timeout);
    }

    @Override
    public void close() {
      delete("FaultPlan", name);
    }
  }

  /** Returns the requests to the server, oldest first. */
  public List<RequestRecord> requests(RequestLogReviewSpec spec) {
    List<RequestRecord> records = new ArrayList<>();
    create("RequestLogReview", spec, null).at("/status/items").forEach(item -> records.add(JSON.convertValue(item, RequestRecord.class)));
    return records;
  }

  /** Returns the requests to the server, a line for each. */
  public String timeline() {
    return requests(new RequestLogReviewSpec()).stream().map(KubeloomServer::line).collect(Collectors.joining("\n"));
  }

  private static String line(RequestRecord record) {
    String what = record.resource == null ? record.url
        : Stream.of(record.resource, record.namespace, record.name).filter(part -> part != null && !part.isEmpty()).collect(Collectors.joining(" "));
    String time = record.time == null ? "" : record.time.substring(11, 23);
    return String.format("%s %s %-6s %s (%s)", time, record.code == null ? "   " : record.code, record.verb, what, record.userAgent);
  }

  /**
   * Returns when nothing is under way: nothing was written for a while, and the controllers have seen every event.
   *
   * @throws AssertionError with the reason
   */
  public void settled(SettledReviewSpec spec) {
    JsonNode status = create("SettledReview", spec, null).path("status");
    if (!status.path("settled").asBoolean()) throw new AssertionError("not settled: " + status.path("reason").asString());
  }

  /**
   * Returns the first state that is accepted.
   *
   * @throws AssertionError with the last state
   */
  public static <T> T eventually(Supplier<T> read, Predicate<T> accept, Duration timeout) {
    Instant deadline = Instant.now().plus(timeout);
    while (true) {
      T state = read.get();
      if (accept.test(state)) return state;
      if (Instant.now().isAfter(deadline)) throw new AssertionError("not accepted within " + timeout + "; the last state: " + state);
      try {
        Thread.sleep(10);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(error);
      }
    }
  }

  /** Creates an object of testing.kubeloom.dev. */
  private JsonNode create(String kind, Object spec, String generateName) {
    Map<String, Object> metadata = generateName == null ? Map.of() : Map.of("generateName", generateName);
    Object body = spec == null
        ? Map.of("apiVersion", GROUP_VERSION, "kind", kind, "metadata", metadata)
        : Map.of("apiVersion", GROUP_VERSION, "kind", kind, "metadata", metadata, "spec", JSON.valueToTree(spec));
    return read(client.raw(path(kind), "POST", body));
  }

  private void delete(String kind, String name) {
    client.raw(path(kind) + "/" + name, "DELETE", null);
  }

  private static String path(String kind) {
    return "/apis/" + GROUP_VERSION + "/" + Controls.RESOURCES.get(kind);
  }

  private static JsonNode read(String response) {
    return JSON.readTree(response);
  }
}

// Generated from the OpenAPI of testing.kubeloom.dev. Do not edit: run make kits.
package dev.kubeloom.junit;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/** The types of testing.kubeloom.dev/v1alpha1. */
public final class Controls {
  /** The resource of each kind. */
  static final Map<String, String> RESOURCES = Map.ofEntries(
      Map.entry("ClockAdvance", "clockadvances"),
      Map.entry("FaultPlan", "faultplans"),
      Map.entry("RequestLogReview", "requestlogreviews"),
      Map.entry("ServerFork", "serverforks"),
      Map.entry("SettledReview", "settledreviews"),
      Map.entry("SnapshotRestore", "snapshotrestores"),
      Map.entry("Snapshot", "snapshots"));

  private Controls() {}

  /** ClockAdvanceSpec says how far the clock moves. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ClockAdvanceSpec {
    /** How far, for example 5m or 1h30m. */
    public String duration;

    public ClockAdvanceSpec duration(String value) {
      this.duration = value;
      return this;
    }
  }

  /** ClockAdvanceStatus says what time it is. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ClockAdvanceStatus {
    /** The time of the server's clock after the advance. */
    public String now;

    public ClockAdvanceStatus now(String value) {
      this.now = value;
      return this;
    }
  }

  /** CutFault ends the body of the response and the connection. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class CutFault {
    /** How many bytes of the body are sent; the default is none. */
    public Integer afterBytes;

    public CutFault afterBytes(Integer value) {
      this.afterBytes = value;
      return this;
    }
  }

  /** DelayFault answers late. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class DelayFault {
    /** How long, for example 2s, by the clock of the server. */
    public String duration;
    /** BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late. */
    public String when;

    public DelayFault duration(String value) {
      this.duration = value;
      return this;
    }

    public DelayFault when(String value) {
      this.when = value;
      return this;
    }
  }

  /** DropFault closes the connection without a response. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class DropFault {
    /** BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late. */
    public String when;

    public DropFault when(String value) {
      this.when = value;
      return this;
    }
  }

  /** Fault is what becomes of a request that is hit. Exactly one member must be set. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Fault {
    /** The store compacts all revisions before the newest one. */
    public Map<String, Object> compact;
    public CutFault cut;
    public DelayFault delay;
    public DropFault drop;
    public HoldEventsFault holdEvents;
    public PartitionFault partition;
    /** The server drops all connections and starts again, with the same port and store. */
    public Map<String, Object> restart;
    public StaleReadFault staleRead;
    public StatusFault status;
    public WatchFault watch;

    public Fault compact(Map<String, Object> value) {
      this.compact = value;
      return this;
    }

    public Fault cut(CutFault value) {
      this.cut = value;
      return this;
    }

    public Fault delay(DelayFault value) {
      this.delay = value;
      return this;
    }

    public Fault drop(DropFault value) {
      this.drop = value;
      return this;
    }

    public Fault holdEvents(HoldEventsFault value) {
      this.holdEvents = value;
      return this;
    }

    public Fault partition(PartitionFault value) {
      this.partition = value;
      return this;
    }

    public Fault restart(Map<String, Object> value) {
      this.restart = value;
      return this;
    }

    public Fault staleRead(StaleReadFault value) {
      this.staleRead = value;
      return this;
    }

    public Fault status(StatusFault value) {
      this.status = value;
      return this;
    }

    public Fault watch(WatchFault value) {
      this.watch = value;
      return this;
    }
  }

  /** FaultOccurrence says which of the matching requests are hit. By default, all are. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class FaultOccurrence {
    /** How many requests are hit in all. */
    public Integer count;
    /** The probability that a request is hit, between 0 and 1, for example "0.5". */
    public String probability;
    /** What the random choice begins with. The same seed hits the same requests. */
    public Long seed;
    /** How many matching requests pass before the first one is hit. */
    public Integer skip;

    public FaultOccurrence count(Integer value) {
      this.count = value;
      return this;
    }

    public FaultOccurrence probability(String value) {
      this.probability = value;
      return this;
    }

    public FaultOccurrence seed(Long value) {
      this.seed = value;
      return this;
    }

    public FaultOccurrence skip(Integer value) {
      this.skip = value;
      return this;
    }
  }

  /** FaultPlanSpec says which requests are hit, and what becomes of them. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class FaultPlanSpec {
    public Fault fault;
    public RequestMatch match;
    public FaultOccurrence occurrence;

    public FaultPlanSpec fault(Fault value) {
      this.fault = value;
      return this;
    }

    public FaultPlanSpec match(RequestMatch value) {
      this.match = value;
      return this;
    }

    public FaultPlanSpec occurrence(FaultOccurrence value) {
      this.occurrence = value;
      return this;
    }
  }

  /** FaultPlanStatus says what became of the plan. It is written when it changes, so that tests can wait for it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class FaultPlanStatus {
    /** Active is True while the plan is in force. */
    public List<Map<String, Object>> conditions;
    /** How many requests were hit. */
    public Long hits;
    /** How many requests matched. */
    public Long matches;
    /** The generation of the plan that is in force. */
    public Long observedGeneration;

    public FaultPlanStatus conditions(List<Map<String, Object>> value) {
      this.conditions = value;
      return this;
    }

    public FaultPlanStatus hits(Long value) {
      this.hits = value;
      return this;
    }

    public FaultPlanStatus matches(Long value) {
      this.matches = value;
      return this;
    }

    public FaultPlanStatus observedGeneration(Long value) {
      this.observedGeneration = value;
      return this;
    }
  }

  /** HoldEventsFault delays the events of watches. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class HoldEventsFault {
    /** How late events are, for example 10s. */
    public String duration;

    public HoldEventsFault duration(String value) {
      this.duration = value;
      return this;
    }
  }

  /** PartitionFault separates the client from the server. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class PartitionFault {
    /** How long, for example 10s, by the clock of the server. */
    public String duration;

    public PartitionFault duration(String value) {
      this.duration = value;
      return this;
    }
  }

  /** RequestLogReviewSpec says which requests are asked for. By default, all are. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class RequestLogReviewSpec {
    /** HTTP status codes of responses. */
    public List<Integer> codes;
    public RequestMatch match;
    /** Only requests that still run, as open watches do, or only those that do not. */
    public Boolean running;
    /** Only requests after the one with this sequence. */
    public Long since;

    public RequestLogReviewSpec codes(List<Integer> value) {
      this.codes = value;
      return this;
    }

    public RequestLogReviewSpec match(RequestMatch value) {
      this.match = value;
      return this;
    }

    public RequestLogReviewSpec running(Boolean value) {
      this.running = value;
      return this;
    }

    public RequestLogReviewSpec since(Long value) {
      this.since = value;
      return this;
    }
  }

  /** RequestLogReviewStatus lists what was found. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class RequestLogReviewStatus {
    /** The requests, oldest first. */
    public List<RequestRecord> items;

    public RequestLogReviewStatus items(List<RequestRecord> value) {
      this.items = value;
      return this;
    }
  }

  /** RequestMatch selects requests. Every list is any-of, and an absent one is anything. A * at the end of a text is any rest. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class RequestMatch {
    /** API groups; "" is the core group. */
    public List<String> apiGroups;
    /** Groups of users. */
    public List<String> groups;
    /** Names in the URL; "" is collections, and creates. */
    public List<String> names;
    /** Namespaces; "" is what has none, and what is asked of all namespaces. */
    public List<String> namespaces;
    /** Paths of requests that are for no resource, for example /readyz. Alone, they match no resources. */
    public List<String> nonResourceURLs;
    /** Resources as RBAC has them: pods is pods without their subresources, pods/status one of these, pods/* all of these. */
    public List<String> resources;
    /** User agents, for example my-operator/*. */
    public List<String> userAgents;
    /** Names of users, after impersonation. */
    public List<String> users;
    /** Verbs as RBAC has them, for example deletecollection; the method in lower case for requests that are for no resource. */
    public List<String> verbs;

    public RequestMatch apiGroups(List<String> value) {
      this.apiGroups = value;
      return this;
    }

    public RequestMatch groups(List<String> value) {
      this.groups = value;
      return this;
    }

    public RequestMatch names(List<String> value) {
      this.names = value;
      return this;
    }

    public RequestMatch namespaces(List<String> value) {
      this.namespaces = value;
      return this;
    }

    public RequestMatch nonResourceURLs(List<String> value) {
      this.nonResourceURLs = value;
      return this;
    }

    public RequestMatch resources(List<String> value) {
      this.resources = value;
      return this;
    }

    public RequestMatch userAgents(List<String> value) {
      this.userAgents = value;
      return this;
    }

    public RequestMatch users(List<String> value) {
      this.users = value;
      return this;
    }

    public RequestMatch verbs(List<String> value) {
      this.verbs = value;
      return this;
    }
  }

  /** RequestRecord is one request, as far as it has come. Names are those of audit events. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class RequestRecord {
    /** The API group. */
    public String apiGroup;
    /** The version of the group. */
    public String apiVersion;
    /** The HTTP status code of the response, once there is one. */
    public Integer code;
    /** The groups of the user. */
    public List<String> groups;
    /** Who impersonates the user. */
    public String impersonatedBy;
    /** The name of the object, for creates, too. */
    public String name;
    /** The namespace. */
    public String namespace;
    /** The resource. */
    public String resource;
    /** What the object of a write has now. */
    public String resourceVersion;
    /** Whether the response is not complete, as that of an open watch. */
    public Boolean running;
    /** 1 for the first request of the server, and one more for each that follows. */
    public Long sequence;
    /** The subresource. */
    public String subresource;
    /** When it came, by the clock of the server. */
    public String time;
    /** The path and the query. */
    public String url;
    /** Who asks. For a request that impersonates, who it acts as. */
    public String user;
    /** The header User-Agent. */
    public String userAgent;
    /** The verb as RBAC has it, or the method in lower case. */
    public String verb;

    public RequestRecord apiGroup(String value) {
      this.apiGroup = value;
      return this;
    }

    public RequestRecord apiVersion(String value) {
      this.apiVersion = value;
      return this;
    }

    public RequestRecord code(Integer value) {
      this.code = value;
      return this;
    }

    public RequestRecord groups(List<String> value) {
      this.groups = value;
      return this;
    }

    public RequestRecord impersonatedBy(String value) {
      this.impersonatedBy = value;
      return this;
    }

    public RequestRecord name(String value) {
      this.name = value;
      return this;
    }

    public RequestRecord namespace(String value) {
      this.namespace = value;
      return this;
    }

    public RequestRecord resource(String value) {
      this.resource = value;
      return this;
    }

    public RequestRecord resourceVersion(String value) {
      this.resourceVersion = value;
      return this;
    }

    public RequestRecord running(Boolean value) {
      this.running = value;
      return this;
    }

    public RequestRecord sequence(Long value) {
      this.sequence = value;
      return this;
    }

    public RequestRecord subresource(String value) {
      this.subresource = value;
      return this;
    }

    public RequestRecord time(String value) {
      this.time = value;
      return this;
    }

    public RequestRecord url(String value) {
      this.url = value;
      return this;
    }

    public RequestRecord user(String value) {
      this.user = value;
      return this;
    }

    public RequestRecord userAgent(String value) {
      this.userAgent = value;
      return this;
    }

    public RequestRecord verb(String value) {
      this.verb = value;
      return this;
    }
  }

  /** ServerForkSpec says what the fork begins with. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ServerForkSpec {
    /** The name of a Snapshot. By default, the fork begins with the state of this moment. */
    public String snapshot;

    public ServerForkSpec snapshot(String value) {
      this.snapshot = value;
      return this;
    }
  }

  /** ServerForkStatus says how clients reach the fork. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ServerForkStatus {
    /** A kubeconfig of the fork's administrator. */
    public String kubeconfig;
    /** The URL of the fork. */
    public String server;

    public ServerForkStatus kubeconfig(String value) {
      this.kubeconfig = value;
      return this;
    }

    public ServerForkStatus server(String value) {
      this.server = value;
      return this;
    }
  }

  /** SettledReviewSpec says what has to be quiet, and for how long. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SettledReviewSpec {
    /** User names or user agents of the clients that count. A * at the end is any rest. One that has never asked for anything has not settled. By default, all clients count. */
    public List<String> controllers;
    /** For how long nothing may happen, for example 500ms, in real time. The default is 1s, or 100ms with a manual clock. */
    public String quiet;
    /** How long to wait for that, for example 30s, in real time. The default is 4s, or four times quiet. */
    public String timeout;

    public SettledReviewSpec controllers(List<String> value) {
      this.controllers = value;
      return this;
    }

    public SettledReviewSpec quiet(String value) {
      this.quiet = value;
      return this;
    }

    public SettledReviewSpec timeout(String value) {
      this.timeout = value;
      return this;
    }
  }

  /** SettledReviewStatus says whether it has. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SettledReviewStatus {
    /** What was still under way. */
    public String reason;
    /** Whether the server has settled in time. */
    public Boolean settled;

    public SettledReviewStatus reason(String value) {
      this.reason = value;
      return this;
    }

    public SettledReviewStatus settled(Boolean value) {
      this.settled = value;
      return this;
    }
  }

  /** SnapshotRestoreSpec says which state comes back. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SnapshotRestoreSpec {
    /** The name of a Snapshot, or fresh, the default, which is the state in which the server became ready. */
    public String snapshot;
    /** What open watches see. With Continue, the default, they see the differences as events. With Expire, they end with an error 410. */
    public String watches;

    public SnapshotRestoreSpec snapshot(String value) {
      this.snapshot = value;
      return this;
    }

    public SnapshotRestoreSpec watches(String value) {
      this.watches = value;
      return this;
    }
  }

  /** SnapshotRestoreStatus says where the store is now. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SnapshotRestoreStatus {
    /** The revision of the store after the restore. Revisions only grow. */
    public Long revision;

    public SnapshotRestoreStatus revision(Long value) {
      this.revision = value;
      return this;
    }
  }

  /** SnapshotSpec has no fields, because a snapshot keeps everything. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SnapshotSpec {}

  /** SnapshotStatus says what was kept. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class SnapshotStatus {
    /** How many objects there were. */
    public Long objects;
    /** The revision of the store at the moment of the snapshot. */
    public Long revision;

    public SnapshotStatus objects(Long value) {
      this.objects = value;
      return this;
    }

    public SnapshotStatus revision(Long value) {
      this.revision = value;
      return this;
    }
  }

  /** StaleReadFault answers reads with resourceVersion=0 as a cache that has fallen behind. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class StaleReadFault {
    /** How old the state is that they see, for example 30s. */
    public String age;

    public StaleReadFault age(String value) {
      this.age = value;
      return this;
    }
  }

  /** StatusFault answers with a Status in place of the response. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class StatusFault {
    /** The HTTP status code. */
    public Integer code;
    /** The message in the Status. */
    public String message;
    /** The reason in the Status. The default is Kubernetes' own for the code. */
    public String reason;
    /** Sent as Retry-After, and in the details of the Status. */
    public Integer retryAfterSeconds;

    public StatusFault code(Integer value) {
      this.code = value;
      return this;
    }

    public StatusFault message(String value) {
      this.message = value;
      return this;
    }

    public StatusFault reason(String value) {
      this.reason = value;
      return this;
    }

    public StatusFault retryAfterSeconds(Integer value) {
      this.retryAfterSeconds = value;
      return this;
    }
  }

  /** WatchFault fails a watch that is open. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class WatchFault {
    /** Stall leaves the watch open and sends nothing any more. Close ends it. Expire ends it with an error 410. */
    public String action;
    /** How many events are sent before, bookmarks not counted. */
    public Integer afterEvents;
    /** Whether bookmarks are sent; the default is what the client asks for. */
    public String bookmarks;

    public WatchFault action(String value) {
      this.action = value;
      return this;
    }

    public WatchFault afterEvents(Integer value) {
      this.afterEvents = value;
      return this;
    }

    public WatchFault bookmarks(String value) {
      this.bookmarks = value;
      return this;
    }
  }
}

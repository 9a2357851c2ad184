package dev.kubeloom.junit;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the servers of {@link Kubeloom}, and prints the requests of a failed test. */
final class KubeloomExtension implements BeforeEachCallback, AfterTestExecutionCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(KubeloomExtension.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    serverOf(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == KubeloomServer.class || type == KubernetesClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    KubeloomServer server = serverOf(context);
    return parameter.getParameter().getType() == KubeloomServer.class ? server : server.client();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.println("requests to kubeloom:\n" + serverOf(context).timeline());
    }
  }

  /** Returns the test's server. The first call in a test resets or forks. */
  private static KubeloomServer serverOf(ExtensionContext context) {
    return context.getStore(NAMESPACE).getOrComputeIfAbsent(Held.class, key -> begin(context), Held.class).server;
  }

  private static Held begin(ExtensionContext context) {
    Kubeloom options = AnnotationSupport.findAnnotation(context.getElement(), Kubeloom.class)
        .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), Kubeloom.class))
        .orElseThrow();
    List<String> flags = List.of(options.flags());
    KubeloomServer shared = context.getRoot().getStore(NAMESPACE)
        .getOrComputeIfAbsent(flags, key -> new Held(KubeloomServer.start(flags.toArray(String[]::new))), Held.class).server;
    if (options.isolation() == Kubeloom.Isolation.FORK) return new Held(shared.fork());
    if (options.isolation() == Kubeloom.Isolation.RESET) shared.reset();
    return new Held(shared, false);
  }

  /** A server that ends with the store that holds it, if it is the store's own. */
  private record Held(KubeloomServer server, boolean owned) implements Store.CloseableResource, AutoCloseable {
    Held(KubeloomServer server) {
      this(server, true);
    }

    @Override
    public void close() {
      if (owned) server.close();
    }
  }
}

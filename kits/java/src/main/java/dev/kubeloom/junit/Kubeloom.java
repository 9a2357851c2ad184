package dev.kubeloom.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives tests a {@link KubeloomServer}, a fabric8 {@code KubernetesClient} of it, or both, as parameters of tests and of their
 * {@code BeforeEach} methods. One server is started for each set of flags, and ends after all tests.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubeloomExtension.class)
public @interface Kubeloom {
  /** Flags of {@code kubeloom serve}, as {@code --clock=manual}. */
  String[] flags() default {};

  /** What each test begins with. */
  Isolation isolation() default Isolation.RESET;

  /** The state at the beginning of a test. */
  enum Isolation {
    /** The objects of a new cluster. Tests run one after the other. */
    RESET,
    /** The same, on a server of its own: a fork, which costs as much as the changes. Tests may run in parallel. */
    FORK,
    /** What earlier tests have left. */
    NONE
  }
}

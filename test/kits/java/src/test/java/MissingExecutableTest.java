import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A scenario that needs another environment, and so another process. */
class MissingExecutableTest {
  static final String SCENARIO = "missing-executable-is-explained";
  static final int SCENARIOS = 1;

  @Test
  void missingExecutableIsExplained() throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), Main.class.getName());
    builder.environment().remove("KUBELOOM");
    builder.environment().put("PATH", File.separator + "nowhere");
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(1, process.waitFor());
    assertTrue(output.contains("set KUBELOOM"), output);
  }

  static final class Main {
    public static void main(String[] args) {
      dev.kubeloom.junit.KubeloomServer.start();
    }
  }
}

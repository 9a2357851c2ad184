package dev.kubeloom.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A running {@code kubeloom serve}. It ends when its input does, so also if this process is killed. */
final class KubeloomProcess implements AutoCloseable {
  private final Path folder;
  private final Process process;

  KubeloomProcess(String... flags) {
    List<String> command = new ArrayList<>(command(System.getenv()));
    try {
      folder = Files.createTempDirectory("kubeloom-");
      command.addAll(List.of("serve", "--storage=memory", "--secure-port=0", "--test-controls", "--exit-with-stdin",
          "--cert-dir=" + folder.resolve("certs"), "--write-kubeconfig=" + folder.resolve("kubeconfig")));
      command.addAll(List.of(flags));
      process = new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(folder.resolve("log").toFile()).start();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /**
   * Returns the program of the server with the arguments before its own: that of KUBELOOM, or kubeloom on the PATH.
   *
   * @throws IllegalStateException says what to do
   */
  static List<String> command(Map<String, String> environment) {
    String chosen = environment.getOrDefault("KUBELOOM", "");
    if (!chosen.isEmpty()) return chosen.endsWith(".js") ? List.of("node", chosen) : List.of(chosen);
    String name = System.getProperty("os.name").startsWith("Windows") ? "kubeloom.exe" : "kubeloom";
    return Stream.of(environment.getOrDefault("PATH", "").split(java.io.File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(path -> List.of(path.toString()))
        .orElseThrow(() -> new IllegalStateException("there is no kubeloom on the PATH: install one, with"
            + " `npm install --global kubeloom` or as an executable, or set KUBELOOM to its path"));
  }

  /** Returns the path of the kubeconfig when the server is ready. */
  Path kubeconfig() {
    Path kubeconfig = folder.resolve("kubeconfig");
    try {
      while (!Files.exists(kubeconfig)) {
        if (!process.isAlive()) throw new IllegalStateException("kubeloom has not started: " + Files.readString(folder.resolve("log")).strip());
        Thread.sleep(5);
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
    return kubeconfig;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor();
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}

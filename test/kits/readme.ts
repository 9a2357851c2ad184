import { blocksOf } from '../support/document-blocks.ts';

/** What stands around a snippet of README.md in a test file. */
const frames: Readonly<Record<string, { readonly file: string; readonly before: string; readonly after?: string }>> = {
  go: {
    file: 'readme_test.go',
    before: `package scenarios

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"kubeloom.dev/kubeloom"
)

`,
  },
  python: { file: 'test_readme.py', before: 'from kubernetes.client import CoreV1Api\n\n\n' },
  java: {
    file: 'src/test/java/ReadmeTest.java',
    before: `import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.kubeloom.junit.Kubeloom;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

class ReadmeTest {
`,
    after: '}\n',
  },
};

/** Returns a test file with README.md's snippet in the language, as it stands. */
export async function readmeTest(language: string): Promise<Record<string, string>> {
  const frame = frames[language];
  const block = (await blocksOf('README.md')).find((each) => each.language === language);
  if (frame === undefined || block === undefined) throw new Error(`README.md has no test in ${language}`);
  return { [frame.file]: `${frame.before}${block.text}${frame.after ?? ''}` };
}

import { defineConfig } from 'vitepress';
import { pages } from './pages.ts';

/** The site of the documents in docs/, of the READMEs of kits, and of the API's reference that typedoc writes. */
export default defineConfig({
  title: 'Kubeloom',
  description: 'A Kubernetes-compatible API server in TypeScript, woven from schemas',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    // documents mean the text <name>, and no HTML
    html: false,
    config: (md) => {
      // a page is compiled as a template of Vue, in which two braces begin an expression
      md.renderer.rules.text = (tokens, index) => md.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '{<!---->{');
      // an indented block looks like one in a fence
      md.renderer.rules.code_block = (tokens, index, ...rest) => md.renderer.rules.fence?.(tokens, index, ...rest) ?? '';
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'First five minutes', link: '/docs/first-five-minutes' },
      { text: 'Options', link: '/docs/options' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: pages.map(({ title, items }) => ({ text: title, items: items.map(([text, link]) => ({ text, link })) })),
  },
});

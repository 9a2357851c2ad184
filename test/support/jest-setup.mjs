// Jest compiles sources by itself; worker threads of the servers that it starts use the loader.
export default function setup() {
  process.env.KUBELOOM_TS_LOADER = new URL('./ts-loader.mjs', import.meta.url).href;
}

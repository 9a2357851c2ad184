import { isCurrent } from '../../../codegen/build/current.mjs';

// The threads of servers need a loader for sources, as Jest's workers have. If dist/ is current, its loader starts them
// from there instead, which takes a tenth of the time.
export default function setup() {
  const loader = isCurrent() ? './built-loader.mjs' : '../ts-loader.mjs';
  process.env.KUBELOOM_TS_LOADER = new URL(loader, import.meta.url).href;
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ResourcesView } from '../resources/resources-view.tsx';
import { readCounts } from '../server/counts.ts';
import { discover } from '../server/discovery.ts';
import { request } from '../server/request.ts';
import { sessionEnded } from '../server/session.ts';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { go, hrefOf, route } from './route.ts';
import { switchTheme, theme } from './theme.ts';
import { type View, views } from './views.ts';

/** Milliseconds between two looks at counts, and at what is served. */
const countsInterval = 2000;
const discoveryInterval = 10_000;

/** The frame of all views. */
export function Shell(): ComponentChildren {
  const help = useSignal(false);
  const version = useSignal('');
  const user = useSignal('');
  useEffect(() => {
    const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);
    quietly(request<{ gitVersion: string }>('/version').then(({ gitVersion }) => (version.value = gitVersion)));
    quietly(readUser().then((name) => (user.value = name)));
    const refresh = (work: () => Promise<void>, ms: number): (() => void) => {
      quietly(work());
      const timer = setInterval(() => !document.hidden && !sessionEnded.value && quietly(work()), ms);
      return () => clearInterval(timer);
    };
    const ends = [refresh(readCounts, countsInterval), refresh(discover, discoveryInterval)];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const { view } = route.value;
  const current = views.find(({ name }) => name === view);
  useKeys([
    ...views
      .filter(({ key }) => key !== '')
      .map(({ key, title, name }) => ({ keys: `g ${key}`, about: title, run: () => go(hrefOf(name)) })),
    { keys: '?', about: 'Show the keys', run: () => (help.value = true) },
    { keys: 'd', about: 'Switch between dark and light', run: switchTheme },
    { keys: 'Escape', about: 'Leave a field, or go back', run: leave },
  ]);
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <header class="top">
        <span class="brand">Kubeloom</span>
        <nav aria-label="Views">
          {views
            .filter(({ key }) => key !== '')
            .map((shown) => (
              <a key={shown.name} href={hrefOf(shown.name)} aria-current={isWithin(shown, view) ? 'page' : undefined}>
                {shown.title}
              </a>
            ))}
        </nav>
        <span class="spring" />
        <span class="subtle server" title="The server and the user of this session">
          {version.value} {user.value !== '' && `· ${user.value}`}
        </span>
        <button type="button" class="quiet" onClick={switchTheme} aria-label={`Switch to ${theme.value === 'dark' ? 'light' : 'dark'}`}>
          {theme.value === 'dark' ? 'Light' : 'Dark'}
        </button>
        <button type="button" class="quiet" onClick={() => (help.value = true)} aria-label="Show the keys">
          ?
        </button>
      </header>
      {sessionEnded.value && (
        <div class="ended" role="alert">
          This session has ended. <code>kubeloom ui</code> makes a new link.
        </div>
      )}
      <main id="main" tabIndex={-1}>
        {current === undefined ? <ResourcesView /> : <current.show />}
      </main>
      {help.value && <Help close={() => (help.value = false)} />}
    </div>
  );
}

const isWithin = ({ name }: View, view: string): boolean => name === view || (name === 'resources' && view === 'object');

function leave(): void {
  if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body) document.activeElement.blur();
  if (route.value.view === 'object') history.back();
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

interface SelfSubjectReview {
  readonly status: { readonly userInfo: { readonly username: string } };
}

async function readUser(): Promise<string> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { status } = await request<SelfSubjectReview>(path, {
    method: 'POST',
    body: JSON.stringify(review),
    contentType: 'application/json',
  });
  return status.userInfo.username;
}

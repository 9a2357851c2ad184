import { effect, signal } from '@preact/signals';

const place = 'kubeloom-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

type Theme = 'light' | 'dark';

const chosen = localStorage.getItem(place);
export const theme = signal<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light');

system.addEventListener('change', ({ matches }) => {
  if (localStorage.getItem(place) === null) theme.value = matches ? 'dark' : 'light';
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(place, theme.value);
}

// first, because it takes the key out of the address
import './server/session.ts';
import { render } from 'preact';
import { Shell } from './app/shell.tsx';
import './styles/page.css';

const root = document.getElementById('root');
if (root !== null) render(<Shell />, root);

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface YamlEditorProps {
  readonly text: string;
  readonly isEditable: boolean;
  /** The indexes of owners by line. Empty while it is edited. */
  readonly lines: readonly (readonly number[])[];
  readonly titles: readonly string[];
  /** Only the lines of this owner are strong. */
  readonly chosen: number | undefined;
  onChange(text: string): void;
}

const colours = 8;

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--text)', fontWeight: '550' },
  { tag: [tags.string, tags.content], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--owner-2)' },
  { tag: tags.comment, color: 'var(--subtle)' },
]);

const ownerColours = Object.fromEntries(
  Array.from({ length: colours }, (_, at) => [`.owner-${at}`, { borderLeftColor: `var(--owner-${at})` }]),
);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--back)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--back)', color: 'var(--subtle)', border: 'none' },
  '.cm-line': { borderLeft: '4px solid transparent', paddingLeft: '10px' },
  '.cm-activeLine': { backgroundColor: 'var(--raised)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  '.dim': { opacity: '0.38' },
  ...ownerColours,
});

/** YAML with a bar at each line in the colour of its owner. */
export function YamlEditor(props: YamlEditorProps): ComponentChildren {
  const { text, isEditable, lines, chosen } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (host.current === null) return;
    // the editor's styles are adopted by a shadow root, where the page's policy forbids style elements
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const opened = new EditorView({
      parent: shadow,
      root: shadow,
      state: stateOf(latest.current, (changed) => latest.current.onChange(changed)),
    });
    view.current = opened;
    return () => opened.destroy();
  }, []);
  useEffect(() => {
    const opened = view.current;
    if (opened === undefined) return;
    // the user writes the text from here on
    if (isEditable && !opened.state.readOnly) return;
    const { scrollTop } = opened.scrollDOM;
    opened.setState(stateOf(latest.current, (changed) => latest.current.onChange(changed)));
    opened.scrollDOM.scrollTop = scrollTop;
    if (isEditable) opened.focus();
  }, [text, isEditable, lines, chosen]);
  return <div class="yaml-editor" ref={host} />;
}

function stateOf({ text, isEditable, lines, titles, chosen }: YamlEditorProps, onChange: (text: string) => void): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      yaml(),
      syntaxHighlighting(highlighting),
      look,
      EditorView.contentAttributes.of({ 'aria-label': isEditable ? 'YAML to edit' : 'YAML' }),
      ...(isEditable
        ? [
            history(),
            highlightActiveLine(),
            keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
            EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
          ]
        : [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ tabindex: '0' })]),
      EditorView.decorations.of((opened) => decorations(opened.state, isEditable ? [] : lines, titles, chosen)),
    ],
  });
}

function decorations(
  state: EditorState,
  lines: readonly (readonly number[])[],
  titles: readonly string[],
  chosen: number | undefined,
): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  lines.forEach((owners, at) => {
    if (at >= state.doc.lines) return;
    const isDim = chosen !== undefined && !owners.includes(chosen);
    const shown = chosen !== undefined && owners.includes(chosen) ? chosen : owners[0];
    const names = [...(shown === undefined ? [] : [`owner-${shown % colours}`]), ...(isDim ? ['dim'] : [])];
    if (names.length === 0) return;
    const title = owners.map((owner) => titles[owner]).join(', ');
    const { from } = state.doc.line(at + 1);
    builder.add(from, from, Decoration.line({ attributes: { class: names.join(' '), title } }));
  });
  return builder.finish();
}

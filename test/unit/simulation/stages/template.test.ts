import { describe, expect, test } from '@jest/globals';
import { systemRandom } from '../../../../runtime/machinery/random.ts';
import { randomFunctions, templateFunctions } from '../../../../runtime/simulation/stages/template/functions.ts';
import { parseTemplate } from '../../../../runtime/simulation/stages/template/parse.ts';
import { renderTemplate } from '../../../../runtime/simulation/stages/template/render.ts';

const data = {
  name: 'web',
  count: 3,
  list: ['a', 'b'],
  map: { y: 2, x: 1 },
  items: [{ name: 'one' }, { name: 'two', policy: 'Always' }],
  none: null,
};

const functions = { ...templateFunctions, ...randomFunctions(systemRandom, '', '') };
const render = (text: string): string => renderTemplate(parseTemplate(text), data, functions);

describe('templates', () => {
  test.each([
    ['plain {{ .name }}', 'plain web'],
    ['{{ .missing }} {{ .missing.deep }}', '<no value> <no value>'],
    ['a {{- " b " -}} c', 'a b c'],
    ['{{/* nothing */}}x{{- /* nothing */ -}} y', 'xy'],
    ['{{ if .none }}yes{{ else if eq .count 3 }}three{{ else }}no{{ end }}', 'three'],
    ['{{ with .map }}{{ .x }}{{ $.name }}{{ end }}{{ with .none }}{{ else }}none{{ end }}', '1webnone'],
    ['{{ range .list }}[{{ . }}]{{ else }}empty{{ end }}', '[a][b]'],
    ['{{ range $i, $v := .list }}{{ $i }}{{ $v }}{{ end }}', '0a1b'],
    ['{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}', 'x=1;y=2;'],
    ['{{ range .items }}{{ if eq .policy "Always" }}{{ .name }}{{ end }}{{ end }}', 'two'],
    ['{{ range until 9 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ if eq . 4 }}{{ break }}{{ end }}{{ . }}{{ end }}', '013'],
    ['{{ $x := false }}{{ range .list }}{{ $x = true }}{{ end }}{{ $x }}', 'true'],
    ['{{ (index .items 1).name }} {{ index .map "y" }}', 'two 2'],
    ['{{ or .none "a" }} {{ and .name "b" }} {{ not .none }}', 'a b true'],
    ['{{ printf "%s-%03d-%q" .name .count `q` }}', 'web-003-"q"'],
    ['{{ .name | upper | printf "%s!" | Quote }}', '"WEB!"'],
    ['{{ Quote .count }} {{ Quote .list }} {{ .list }} {{ .map }}', '"3" "[\\"a\\",\\"b\\"]" [a b] map[x:1 y:2]'],
    ['x:{{ YAML .map 1 }}', 'x:\n  x: 1\n  "y": 2\n  '],
    ['{{ default "d" .none }} {{ dict "a" 1 | toJson }} {{ list 1 2 | join "," }}', 'd {"a":1} 1,2'],
    ['{{ add 1 .count }} {{ div 7 2 }} {{ ternary "t" "f" (gt .count 2) }} {{ len .list }}', '4 3 t 2'],
    ['{{ "a b" | replace " " "-" }} {{ trimSuffix "b" "ab" }} {{ splitList "," "a,b" | last }}', 'a-b a b'],
    ['{{ "}}" }}', '}}'],
  ])('%s', (text, want) => {
    expect(render(text)).toBe(want);
  });

  test.each([
    ['{{ if .x }}', 'template: :1: unexpected EOF: {{if}} has no {{end}}'],
    ['\n{{ end }}', 'template: :2: unexpected {{end}}'],
    ['{{ .name', 'template: :1: unclosed action'],
    ['{{ "open }}', 'template: :1: unclosed action'],
    ['{{ }}', 'template: :1: missing value for command'],
    ['{{ .name ~ }}', 'template: :1: unexpected "~" in command'],
    ['{{ template "x" }}', 'template: :1: template is not supported'],
    ['{{ unknown 1 }}', 'template: :1: executing: function "unknown" not defined'],
    ['{{ $x }}', 'template: :1: executing: undefined variable "$x"'],
    ['{{ .name.deep }}', `template: :1: executing: can't evaluate field deep in "web"`],
    ['{{ index .list 5 }}', 'template: :1: executing: error calling index: index out of range: 5'],
    ['{{ fail "no" }}', 'template: :1: executing: error calling fail: no'],
    ['{{ range until 1000 }}{{ range until 1000 }}{{ end }}{{ end }}', 'template: :1: executing: template takes too long'],
    ['{{ $s := repeat 1000000 "x" }}{{ range until 9 }}{{ $s }}{{ end }}', 'template: :1: executing: output is too long'],
    ['{{ repeat 100000000 "x" }}', 'template: :1: executing: error calling repeat: text is too long'],
    ['{{ if true }}'.repeat(200), 'template: :1: actions are nested too deeply'],
  ])('%s is refused', (text, message) => {
    expect(() => render(text)).toThrow(message);
  });
});

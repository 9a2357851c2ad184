import { expect, test } from '@jest/globals';
import { Exposition } from '../../../../runtime/machinery/metrics/exposition.ts';
import { formatFloat } from '../../../../runtime/machinery/metrics/format-float.ts';

test('metrics are written in the text format of Prometheus', () => {
  const text = new Exposition();
  text.head('requests_total', 'counter', 'Requests.');
  text.line('requests_total', 'code="200"', 3);
  text.line('requests_total', '', 0.5);
  text.line('requests_total', '', 1_500_000);
  text.head('empty_total', 'counter', 'A metric without values.');
  text.head('wait_seconds', 'histogram', 'Waits.');
  const buckets = { bounds: [0.1, 1], counts: [2, 0, 1], sum: 5.25, total: 3 };
  text.histogram('wait_seconds', 'kind="a"', buckets);
  text.histogram('wait_seconds', '', buckets);
  expect(text.toString().split('\n')).toEqual([
    '# HELP requests_total Requests.',
    '# TYPE requests_total counter',
    'requests_total{code="200"} 3',
    'requests_total 0.5',
    'requests_total 1.5e+06',
    '# HELP wait_seconds Waits.',
    '# TYPE wait_seconds histogram',
    'wait_seconds_bucket{kind="a",le="0.1"} 2',
    'wait_seconds_bucket{kind="a",le="1"} 2',
    'wait_seconds_bucket{kind="a",le="+Inf"} 3',
    'wait_seconds_sum{kind="a"} 5.25',
    'wait_seconds_count{kind="a"} 3',
    'wait_seconds_bucket{le="0.1"} 2',
    'wait_seconds_bucket{le="1"} 2',
    'wait_seconds_bucket{le="+Inf"} 3',
    'wait_seconds_sum 5.25',
    'wait_seconds_count 3',
    '',
  ]);
});

test.each([
  [NaN, 'NaN'],
  [Infinity, '+Inf'],
  [-Infinity, '-Inf'],
  [0, '0'],
  [-3, '-3'],
  [999_999, '999999'],
  [1e6, '1e+06'],
  [123_456_789, '1.23456789e+08'],
  [1e100, '1e+100'],
  [0.1, '0.1'],
  [0.000125, '0.000125'],
  [0.0000125, '1.25e-05'],
  [1763847722.25, '1.76384772225e+09'],
])('%d is written as %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});

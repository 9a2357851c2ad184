import { graphlib, layout } from '@dagrejs/dagre';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import type { Resource } from '../server/discovery.ts';
import type { KubeObject } from './kube-object.ts';
import { type Relative, type Relatives, relativesOf } from './relatives.ts';

export interface GraphTabProps {
  readonly resource: Resource;
  readonly object: KubeObject;
}

const boxWidth = 220;
const boxHeight = 48;

/** Owners and dependents of an object, from left to right. */
export function GraphTab({ resource, object }: GraphTabProps): ComponentChildren {
  const relatives = useSignal<Relatives | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const end = new AbortController();
    relativesOf(resource, object, end.signal)
      .then((found) => (relatives.value = found))
      .catch((error: unknown) => {
        if (!end.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
      });
    return () => end.abort();
  }, [object.metadata.uid]);
  if (relatives.value === undefined) return <div class="empty">{problem.value || 'Looking for owners and dependents'}</div>;
  const { nodes, edges } = relatives.value;
  const placed = placedGraph(relatives.value);
  const { width = 0, height = 0 } = placed.graph();
  return (
    <div class="graph" tabIndex={0} role="region" aria-label="Owners and dependents">
      <svg
        width={width + 32}
        height={height + 32}
        viewBox={`-16 -16 ${width + 32} ${height + 32}`}
        role="group"
        aria-label={`${nodes.length} objects`}
      >
        {edges.map(([owner, dependent]) => (
          <path key={`${owner}>${dependent}`} class="edge" d={curveOf(placed, owner, dependent)} />
        ))}
        {nodes.map((node) => {
          const { x, y } = placed.node(node.uid);
          return (
            <g
              key={node.uid}
              transform={`translate(${x - boxWidth / 2} ${y - boxHeight / 2})`}
              class={node.uid === object.metadata.uid ? 'own' : ''}
            >
              <Box node={node} />
            </g>
          );
        })}
      </svg>
      {edges.length === 0 && <p class="subtle pad">Nothing owns this object, and it owns nothing.</p>}
    </div>
  );
}

function Box({ node: { resource, kind, name, namespace } }: { readonly node: Relative }): ComponentChildren {
  const content = (
    <>
      <rect width={boxWidth} height={boxHeight} rx={6} />
      <text x={12} y={19} class="box-kind">
        {kind}
      </text>
      <text x={12} y={37}>
        {name.length > 28 ? `${name.slice(0, 27)}…` : name}
      </text>
      <title>{name}</title>
    </>
  );
  return resource === undefined ? content : <a href={hrefOf('object', [resource.group, resource.resource, namespace, name])}>{content}</a>;
}

interface Placed {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width?: number;
  readonly height?: number;
}

type PlacedGraph = graphlib.Graph<Size, Placed, object>;

function placedGraph({ nodes, edges }: Relatives): PlacedGraph {
  const graph: PlacedGraph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 64 } as Size);
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { uid } of nodes) graph.setNode(uid, { width: boxWidth, height: boxHeight, x: 0, y: 0 } as Placed);
  for (const [owner, dependent] of edges) graph.setEdge(owner, dependent);
  layout(graph);
  return graph;
}

function curveOf(graph: PlacedGraph, owner: string, dependent: string): string {
  const [from, to] = [graph.node(owner), graph.node(dependent)];
  const [x1, x2] = [from.x + boxWidth / 2, to.x - boxWidth / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${x2} ${to.y}`;
}

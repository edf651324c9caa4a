// The plots that a reader most likely wants to see first.
import type {Run} from './data';

export function defaultPanels(runs: Run[]): [string, string[]][] {
  const names = [...new Set(runs.flatMap((run) => run.texts.columns.map(({name}) => name)))];
  const has = (wanted: string[]) => wanted.filter((name) => names.includes(name));
  const range = (name: string) => Math.max(...runs.map((run) => (run.column(name)?.max ?? 0) - (run.column(name)?.min ?? 0)));
  const moves = (name: string) => range(name) > 1e-12;
  // What hardly moves beside the others would only be in the way.
  const telling = (list: string[]) => list.filter((name) => range(name) > 1e-3 * Math.max(...list.map(range)) && moves(name));
  const scene = runs.find((run) => run.texts.scene)?.texts.scene;
  const joints = (scene?.links ?? [])
    .filter((link) => !link.deforms && (link.joint_size || link.base))
    .flatMap((link) => link.joint.coordinates);
  const several = runs.length > 1;
  // What was measured comes first: a panel for each unit.
  const measured = new Map<string, string[]>();
  for (const run of runs.filter(({texts}) => texts.measured))
    for (const {name, unit} of run.texts.columns) measured.set(unit, [...(measured.get(unit) ?? []), name]);
  const panels: [string, string[]][] = [
    ...[...measured.values()].map((list): [string, string[]] => [`Measured: ${list[0]}`, [...new Set(list)]]),
    ['Tip error', telling(has(['tip_error.x', 'tip_error.y', 'tip_error.z']))],
    ['Joints', telling(has(joints)).slice(0, several ? 3 : 6)],
    ['Torques', telling(has(joints.map((joint) => `${joint}.torque`))).slice(0, several ? 2 : 6)],
    ['Energy', has(several ? ['energy.kinetic', 'energy.elastic'] : ['energy.kinetic', 'energy.elastic', 'energy.gravity', 'energy.input', 'energy.dissipated']).filter(moves)],
    ['Energy not accounted for', has(['energy.residual']).filter(moves)],
  ];
  const useful = panels.filter(([, list]) => list.length > 0);
  if (useful.length === 0 && names.length > 0) useful.push([names[0], [names[0]]]);
  return useful;
}

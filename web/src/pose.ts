// Poses are twelve numbers: the rotation row by row, then the position.
import type {PoseNumbers} from './data';

export type Pose = Float64Array;

export const identity = (): Pose => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/// a b into out, which may be neither.
export function multiply(a: Pose, b: Pose, out: Pose): Pose {
  for (let i = 0; i < 3; ++i) {
    const x = a[3 * i];
    const y = a[3 * i + 1];
    const z = a[3 * i + 2];
    for (let j = 0; j < 3; ++j) out[3 * i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
    out[9 + i] = x * b[9] + y * b[10] + z * b[11] + a[9 + i];
  }
  return out;
}

export function setQuaternion(out: Pose, w: number, x: number, y: number, z: number): void {
  const n = 2 / (w * w + x * x + y * y + z * z);
  out[0] = 1 - n * (y * y + z * z);
  out[1] = n * (x * y - w * z);
  out[2] = n * (x * z + w * y);
  out[3] = n * (x * y + w * z);
  out[4] = 1 - n * (x * x + z * z);
  out[5] = n * (y * z - w * x);
  out[6] = n * (x * z - w * y);
  out[7] = n * (y * z + w * x);
  out[8] = 1 - n * (x * x + y * y);
}

export function poseOf(numbers: PoseNumbers): Pose {
  const pose = identity();
  setQuaternion(pose, numbers[3], numbers[4], numbers[5], numbers[6]);
  pose.set(numbers.slice(0, 3), 9);
  return pose;
}

/// The rotation whose rotation vector is (x, y, z).
export function setTurn(out: Pose, x: number, y: number, z: number): void {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  setQuaternion(out, Math.cos(angle / 2), s * x, s * y, s * z);
}

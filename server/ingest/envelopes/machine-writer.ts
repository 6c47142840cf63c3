/** Who wrote a line of a machine's journal: the program there, about that machine unless it is one that writes about others. */
import type { Who } from "../format";

const CONTROL_PLANE = /^(kube-(?:controller-manager|scheduler|apiserver)|cloud-controller-manager|etcd)$/;

export function machineWriter(host: string, program: string): Who {
  // A path-like program name (`/usr/bin/x`) and a unit (`kubelet.service`) are a program all the same.
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/\.service$/, "");
  return { source: `${host} ${name}`, ...(CONTROL_PLANE.test(name) ? {} : { node: host }) };
}

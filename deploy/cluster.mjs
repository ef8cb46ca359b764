/** Rendered Kubernetes manifests of one environment. */

/** Kind and name of an object. */
export const nameOf = ({ kind, metadata }) => `${kind}/${metadata?.name}`;

/** The objects of an environment, with lookups by kind and name. */
export class Cluster {
  constructor(objects, variables) {
    this.objects = objects;
    this.variables = variables;
  }

  of(kind) {
    return this.objects.filter((object) => object.kind === kind);
  }

  find(kind, name) {
    return this.of(kind).find(({ metadata }) => metadata.name === name);
  }

  /** Returns a container's literal variables. Those in `env` override those of its ConfigMaps. */
  environment(container) {
    const maps = (container.envFrom ?? []).map(
      ({ configMapRef }) => this.find('ConfigMap', configMapRef?.name)?.data ?? {},
    );
    const own = (container.env ?? []).filter(({ valueFrom }) => !valueFrom).map(({ name, value }) => [name, value]);
    return { ...Object.assign({}, ...maps), ...Object.fromEntries(own) };
  }
}

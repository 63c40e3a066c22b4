/** Problems of an app whose deliveries can be rerouted. */
export const REROUTED_PROBLEMS = ['missing-route', 'mended-route', 'old-route'] as const;

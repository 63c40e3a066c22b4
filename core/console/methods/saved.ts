/** `schemas.*`, `requests.*` and `drafts.*`. */
import type { SAVED } from '../../contract/methods/saved.ts';
import type { MethodsOf } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

export function savedMethods({ drafts, schemas, requests }: MethodDependencies): MethodsOf<typeof SAVED> {
  return {
    'schemas.list': async () => ({ items: await schemas.list() }),
    'schemas.set': (params) => schemas.set(params),
    'schemas.remove': async ({ schemaId }) => ({ items: await schemas.remove(schemaId) }),
    'schemas.validate': (params) => schemas.validate(params),
    'requests.list': () => requests.list(),
    'requests.save': (params) => requests.save(params),
    'requests.remove': async ({ requestId }) => ({ items: await requests.remove(requestId) }),
    'requests.variables': async ({ variables }) => ({ variables: await requests.setVariables(variables) }),
    'requests.export': ({ requestIds }) => requests.export(requestIds),
    'requests.import': ({ text }) => requests.import(text),
    'drafts.get': () => drafts.get(),
    'drafts.set': (params) => drafts.set(params),
    'requests.resolve': async ({ request }) => ({ request: await requests.resolve(request) }),
    'requests.run': (params) => requests.run(params),
  };
}

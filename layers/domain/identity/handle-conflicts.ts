// Why a name that is somebody's on chain cannot be a handle here; each says which name it is about.
import { fail, type Failure } from '../errors.ts';

/** Another wallet goes by the name here (interface, `POST /api/register`: 409 with `existing_handle` and a hint). */
export const heldByAnother = (label: string): Failure => fail('handle_taken', { fields: { existing_handle: label } });

/** Names of the service itself are never given out. */
export const reservedHandle = (label: string): Failure =>
  fail('handle_taken', { message: 'The handle is reserved', fields: { existing_handle: label } });

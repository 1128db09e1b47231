// Judges a message of OTLP in JSON by the definitions of the protocol itself (opentelemetry-proto, as a receiver ships them): every member is a field
// of its message and of its type, and the message is the same after a way through protobuf.
import { createRequire } from 'node:module';
import { join } from 'node:path';

type Field = {
  readonly type: string;
  readonly repeated: boolean;
  readonly resolvedType: (MessageType & { readonly valuesById?: { readonly [id: number]: string } }) | null;
  readonly partOf?: { readonly name: string } | null;
};
export type MessageType = {
  readonly fullName: string;
  readonly fields?: { readonly [name: string]: Field };
  verify(message: object): string | null;
  fromObject(message: object): object;
  encode(message: object): { finish(): Uint8Array };
};

/** The message that a receiver takes at this path. */
export function messageType(folder: string, path: '/v1/traces' | '/v1/metrics'): MessageType {
  const load = createRequire(join(folder, 'package.json'));
  const { getProtoRoot } = load('@elastic/mockotlpserver/lib/proto.js') as {
    getProtoRoot(): { lookupType(name: string): MessageType };
  };
  const [signal, name] = path === '/v1/traces' ? ['trace', 'Trace'] : ['metrics', 'Metrics'];
  return getProtoRoot().lookupType(`opentelemetry.proto.collector.${signal}.v1.Export${name}ServiceRequest`);
}

/** The JSON form of OTLP as a message in protobuf; throws where it is not one. */
export function asProtobuf(type: MessageType, body: unknown): Uint8Array {
  const message = type.fromObject(messageOf(type, body, ''));
  const wrong = type.verify(message);
  if (wrong !== null) throw new Error(wrong);
  return type.encode(message).finish();
}

function messageOf(type: MessageType, value: unknown, at: string): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${at} is no message`);
  const choices = new Set<string>();
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => {
      const field = type.fields?.[name];
      if (field === undefined) throw new Error(`${at}.${name}: ${type.fullName} has no such field`);
      if (field.partOf) {
        if (choices.has(field.partOf.name)) throw new Error(`${at}.${name}: more than one ${field.partOf.name}`);
        choices.add(field.partOf.name);
      }
      if (!field.repeated) return [name, valueOf(field, one, `${at}.${name}`)];
      if (!Array.isArray(one)) throw new Error(`${at}.${name} is no list`);
      return [name, one.map((each, i) => valueOf(field, each, `${at}.${name}[${i}]`))];
    }),
  );
}

const IS: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number',
  uint32: (value) => Number.isInteger(value) && Number(value) >= 0,
  // 64 bits are text in JSON.
  fixed64: (value) => typeof value === 'string' && /^\d+$/.test(value),
  sfixed64: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  int64: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  uint64: (value) => typeof value === 'string' && /^\d+$/.test(value),
  // Of OTLP, unlike other JSON of protobuf: ids are hexadecimal.
  bytes: (value) => typeof value === 'string' && /^(?:[\da-f]{16}|[\da-f]{32})$/.test(value),
};

function valueOf(field: Field, value: unknown, at: string): unknown {
  const { resolvedType, type } = field;
  if (resolvedType?.valuesById !== undefined) {
    if (typeof value === 'number' && resolvedType.valuesById[value] !== undefined) return value;
    throw new Error(`${at}: ${String(value)} is no value of ${resolvedType.fullName}`);
  }
  if (resolvedType !== null) return messageOf(resolvedType, value, at);
  if (IS[type]?.(value) !== true) throw new Error(`${at}: ${JSON.stringify(value)} is no ${type}`);
  return type === 'bytes' ? Buffer.from(String(value), 'hex') : value;
}

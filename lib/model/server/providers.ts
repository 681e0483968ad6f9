/** A server as named on the command line: its address, and where its keys come from. */
export interface Server {
  /** The URL before `/chat/completions`, without a trailing slash. */
  readonly baseUrl: string;
  /** Environment variables with its keys; the first that is set is used. */
  readonly keyNames: readonly string[];
  readonly needsKey: boolean;
  /** Needs its own switch to disable thinking, and silently truncates prompts that are too long. */
  readonly isOllama: boolean;
}

export const providerNames = ['openai', 'together', 'huggingface', 'ollama'] as const;
export type ProviderName = (typeof providerNames)[number];

/** The servers with a name of their own, with the values of their documentation. */
export const providers: Readonly<Record<ProviderName, Server>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    keyNames: ['OPENAI_API_KEY'],
    needsKey: true,
    isOllama: false,
  },
  together: {
    baseUrl: 'https://api.together.ai/v1',
    keyNames: ['TOGETHER_API_KEY'],
    needsKey: true,
    isOllama: false,
  },
  huggingface: {
    baseUrl: 'https://router.huggingface.co/v1',
    keyNames: ['HF_TOKEN', 'HF_API_TOKEN'],
    needsKey: true,
    isOllama: false,
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyNames: ['OLLAMA_API_KEY'],
    needsKey: false,
    isOllama: true,
  },
};

/**
 * The variables whose keys belong to exactly this address: those of the provider that publishes it. None for servers that
 * anybody may start at an address, such as Ollama.
 */
export function keyNamesOf(baseUrl: string): readonly string[] {
  const owner = Object.values(providers).find(
    ({ needsKey, ...settings }) => needsKey && settings.baseUrl === baseUrl,
  );
  return owner?.keyNames ?? [];
}

/** The variables of all providers' keys. */
export const providerKeyNames: readonly string[] = Object.values(providers).flatMap(({ baseUrl }) =>
  keyNamesOf(baseUrl),
);

const domains: readonly (readonly [domain: string, ProviderName])[] = [
  ['openai.com', 'openai'],
  ['together.ai', 'together'],
  ['together.xyz', 'together'],
  ['huggingface.co', 'huggingface'],
  ['huggingface.cloud', 'huggingface'],
  ['ollama.com', 'ollama'],
];

/**
 * The server at an address. The keys of other providers than OpenAI are sent only to these; an address of no provider
 * gets the key in OPENAI_API_KEY, the variable that compatible servers document.
 */
export function serverAt(baseUrl: string): Server {
  const { hostname, port } = new URL(baseUrl);
  const domain = domains.find(([domain]) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (domain) return { ...providers[domain[1]], baseUrl };
  return { baseUrl, keyNames: providers.openai.keyNames, needsKey: false, isOllama: port === OLLAMA_PORT };
}

const OLLAMA_PORT = '11434';

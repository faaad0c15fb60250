package modelname

// routers are hosts and routers, and the folders they file models in, as they stand
// before a slash with hyphens for underscores.
var routers = set(`azure azure-ai azure-text bedrock bedrock-mantle bedrock-converse sagemaker vertex-ai vertex-ai-beta google-ai-studio
	openrouter together together-ai togetherai fireworks fireworks-ai deepinfra anyscale replicate groq cerebras sambanova
	nebius novita novita-ai nscale hyperbolic lambda lambda-ai crusoe baseten gmi gmi-cloud heroku github github-copilot copilot
	gradient-ai digitalocean databricks snowflake oci watsonx wandb scaleway ovhcloud cloudflare workers-ai ollama ollama-chat
	lemonade libertai llamagate darkbloom tensormesh pinstripes ps publicai friendliai featherless-ai vercel vercel-ai-gateway
	chatgpt codestral text-completion-codestral text-completion-openai dashscope volcengine huggingface hf vllm hosted-vllm
	lm-studio lmstudio llamafile poe requesty litellm litellm-proxy aiml aimlapi aiml-api nano-gpt nanogpt chutes parasail targon siliconflow
	empower galadriel predibase custom docker xinference petals nlp-cloud clarifai nvidia-nim nim meta-llama-api palm
	cohere-chat amazon-nova meta-llama-llama zhipu gemini v0 morph openai-compatible openai-like generic modal runpod unsloth-studio mlx`)

// makers are who make models, as they stand before a slash, a point, or in a display
// name, with hyphens for spaces.
var makers = set(`01-ai 01ai ai21 ai21labs ai21-labs aion-labs aionlabs aisingapore alibaba allenai amazon anthracite-org anthropic arcee-ai arcee
	baai baidu bigcode bigscience bsc-lt bytedance bytedance-seed c4ai cognitivecomputations cohere cohereforai coherelabs core42
	databricks deepcogito deepseek deepseek-ai eleutherai essential-ai essentialai eva-unit-01 google gryphe hcompany huggingfaceh4 huggingfacetb
	ibm ibm-granite inception inceptionai inclusionai infermatic inflection internlm jondurbin kwaipilot lgai-exaone liquid liquidai lmsys mancer
	maritaca meituan meituan-longcat meta meta-llama microsoft minimax minimaxai mistral mistralai moonshot moonshotai morph mosaicml neversleep
	nex-agi nous nousresearch nvidia openai openai-community openchat opengvlab openrouter perceptron perplexity poolside prime-intellect primeintellect pygmalionai
	qwen raifle reka rekaai relace sakana sao10k sarvam sarvamai sberbank sdaia sentientagi skywork snowflake sophosympatheia stabilityai
	stepfun stepfun-ai swiss-ai switchpoint tencent thebloke thedrummer thinking-machines thinkingmachines thudm tiiuae tng tngtech
	togethercomputer undi95 unsloth upstage wizardlm wizardlmteam writer x-ai xai xai-org xiaomi xiaomimimo z-ai z.ai zai zai-org zhipuai zyphra
	bartowski mlx-community lmstudio-community ggml-org neuralmagic redhatai casperhansen`)

// wordMakers are makers whose name hosts put before a model's with a hyphen. Those whose
// models begin with their own name are not here, nor those who give their name to
// derivatives of other models.
var wordMakers = set(`anthropic openai google meta amazon microsoft ibm nvidia cohere c4ai xai x-ai zai z-ai z.ai moonshotai ai21 mistralai
	databricks nousresearch tencent baidu bytedance perplexity alibaba allenai openrouter labs writer inception`)

// misspelled are words that are often written wrong, and what they should be.
var misspelled = map[string]string{
	"claud": "claude", "cluade": "claude", "calude": "claude", "clade": "claude", "claued": "claude",
	"sonet": "sonnet", "sonnett": "sonnet", "sonnnet": "sonnet", "haikku": "haiku", "hiaku": "haiku", "opuss": "opus",
	"gtp": "gpt", "gemeni": "gemini", "gemnini": "gemini", "gemma-it": "gemma", "lama": "llama", "lamma": "llama", "llamma": "llama",
	"mistal": "mistral", "mixtal": "mixtral", "quen": "qwen", "qwem": "qwen", "deepsek": "deepseek", "deapseek": "deepseek",
	"minmax": "minimax", "comand": "command", "tubro": "turbo", "trubo": "turbo", "instuct": "instruct", "intruct": "instruct",
	"instrcut": "instruct", "thiking": "thinking", "thinkng": "thinking", "previw": "preview",
}

#pragma once

#include "spec/hf_config.hpp"

namespace gpuplan {

// What the common reading of a configuration does not know of single model families.
void finish_bart(const HfConfig& config, ModelShape& shape);
void finish_bert(const HfConfig& config, ModelShape& shape);
void finish_bigcode(const HfConfig& config, ModelShape& shape);
void finish_clip_text(const HfConfig& config, ModelShape& shape);
void finish_cohere(const HfConfig& config, ModelShape& shape);
void finish_corrected_router(const HfConfig& config, ModelShape& shape);
void finish_dbrx(const HfConfig& config, ModelShape& shape);
void finish_deepseek_v4(const HfConfig& config, ModelShape& shape);
void finish_distilbert(const HfConfig& config, ModelShape& shape);
void finish_falcon(const HfConfig& config, ModelShape& shape);
void finish_gemma4(const HfConfig& config, ModelShape& shape);
void finish_gpt_neo(const HfConfig& config, ModelShape& shape);
void finish_gpt_oss(const HfConfig& config, ModelShape& shape);
void finish_internlm2(const HfConfig& config, ModelShape& shape);
void finish_jamba(const HfConfig& config, ModelShape& shape);
void finish_llama4(const HfConfig& config, ModelShape& shape);
void finish_mamba(const HfConfig& config, ModelShape& shape);
void finish_mimo_v2(const HfConfig& config, ModelShape& shape);
void finish_mllama(const HfConfig& config, ModelShape& shape);
void finish_mpt(const HfConfig& config, ModelShape& shape);
void finish_nemotron_h(const HfConfig& config, ModelShape& shape);
void finish_nemotron_nas(const HfConfig& config, ModelShape& shape);
void finish_opt(const HfConfig& config, ModelShape& shape);
void finish_qwen(const HfConfig& config, ModelShape& shape);
void finish_qwen3_next(const HfConfig& config, ModelShape& shape);
void finish_shared_gate(const HfConfig& config, ModelShape& shape);
void finish_t5(const HfConfig& config, ModelShape& shape);
void finish_vit(const HfConfig& config, ModelShape& shape);
void finish_whisper(const HfConfig& config, ModelShape& shape);

}  // namespace gpuplan

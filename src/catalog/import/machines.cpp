#include "catalog/import/machines.hpp"

#include <algorithm>
#include <array>

namespace gpuplan::detail {
namespace {

// AWS: the accelerated instance families of the EC2 user guide; the list itself tells how many cards
// a size has. Azure: the tables of GPU sizes in its documentation of virtual machines; its price list
// says neither card nor number. Oracle: the table of GPU shapes in its documentation.
constexpr std::array kTypes{
    MachineType{"aws-ec2", "p2.", "K80"},
    MachineType{"aws-ec2", "p3.", "V100 SXM2 16GB"},
    MachineType{"aws-ec2", "p3dn.", "V100 SXM2 32GB"},
    MachineType{"aws-ec2", "p4d.", "A100 SXM4 40GB"},
    MachineType{"aws-ec2", "p4de.", "A100 SXM4 80GB"},
    MachineType{"aws-ec2", "p5.", "H100 SXM5 80GB"},
    MachineType{"aws-ec2", "p5e.", "H200 SXM 141GB"},
    MachineType{"aws-ec2", "p5en.", "H200 SXM 141GB"},
    MachineType{"aws-ec2", "p6-b200.", "B200 SXM 180GB"},
    MachineType{"aws-ec2", "g3.", "M60"},
    MachineType{"aws-ec2", "g3s.", "M60"},
    MachineType{"aws-ec2", "g4dn.", "T4"},
    MachineType{"aws-ec2", "g4ad.", "Radeon Pro V520"},
    MachineType{"aws-ec2", "g5.", "A10G"},
    MachineType{"aws-ec2", "g5g.", "T4G"},
    MachineType{"aws-ec2", "g6.", "L4"},
    MachineType{"aws-ec2", "gr6.", "L4"},
    MachineType{"aws-ec2", "g6e.", "L40S"},
    MachineType{"azure", "Standard_NC6", "K80", 1},
    MachineType{"azure", "Standard_NC12", "K80", 2},
    MachineType{"azure", "Standard_NC24", "K80", 4},
    MachineType{"azure", "Standard_NC24r", "K80", 4},
    MachineType{"azure", "Standard_NC6s_v2", "P100 PCIe 16GB", 1},
    MachineType{"azure", "Standard_NC12s_v2", "P100 PCIe 16GB", 2},
    MachineType{"azure", "Standard_NC24s_v2", "P100 PCIe 16GB", 4},
    MachineType{"azure", "Standard_NC24rs_v2", "P100 PCIe 16GB", 4},
    MachineType{"azure", "Standard_NC6s_v3", "V100 PCIe 16GB", 1},
    MachineType{"azure", "Standard_NC12s_v3", "V100 PCIe 16GB", 2},
    MachineType{"azure", "Standard_NC24s_v3", "V100 PCIe 16GB", 4},
    MachineType{"azure", "Standard_NC24rs_v3", "V100 PCIe 16GB", 4},
    MachineType{"azure", "Standard_ND6s", "P40", 1},
    MachineType{"azure", "Standard_ND12s", "P40", 2},
    MachineType{"azure", "Standard_ND24s", "P40", 4},
    MachineType{"azure", "Standard_ND24rs", "P40", 4},
    MachineType{"azure", "Standard_ND40rs_v2", "V100 SXM2 32GB", 8},
    MachineType{"azure", "Standard_NV6", "M60", 1},
    MachineType{"azure", "Standard_NV12", "M60", 2},
    MachineType{"azure", "Standard_NV24", "M60", 4},
    MachineType{"azure", "Standard_NV12s_v3", "M60", 1},
    MachineType{"azure", "Standard_NV24s_v3", "M60", 2},
    MachineType{"azure", "Standard_NV48s_v3", "M60", 4},
    MachineType{"azure", "Standard_NV4as_v4", "Radeon MI25", 1, 8, 2},
    MachineType{"azure", "Standard_NV8as_v4", "Radeon MI25", 1, 4, 4},
    MachineType{"azure", "Standard_NV16as_v4", "Radeon MI25", 1, 2, 8},
    MachineType{"azure", "Standard_NV32as_v4", "Radeon MI25", 1},
    MachineType{"azure", "Standard_NC4as_T4_v3", "T4", 1},
    MachineType{"azure", "Standard_NC8as_T4_v3", "T4", 1},
    MachineType{"azure", "Standard_NC16as_T4_v3", "T4", 1},
    MachineType{"azure", "Standard_NC64as_T4_v3", "T4", 4},
    MachineType{"azure", "Standard_NV6ads_A10_v5", "A10", 1, 6, 4},
    MachineType{"azure", "Standard_NV12ads_A10_v5", "A10", 1, 3, 8},
    MachineType{"azure", "Standard_NV18ads_A10_v5", "A10", 1, 2, 12},
    MachineType{"azure", "Standard_NV36ads_A10_v5", "A10", 1},
    MachineType{"azure", "Standard_NV36adms_A10_v5", "A10", 1},
    MachineType{"azure", "Standard_NV72ads_A10_v5", "A10", 2},
    MachineType{"azure", "Standard_NC24ads_A100_v4", "A100 PCIe 80GB", 1},
    MachineType{"azure", "Standard_NC48ads_A100_v4", "A100 PCIe 80GB", 2},
    MachineType{"azure", "Standard_NC96ads_A100_v4", "A100 PCIe 80GB", 4},
    MachineType{"azure", "Standard_ND96asr_v4", "A100 SXM4 40GB", 8},
    MachineType{"azure", "Standard_ND96amsr_A100_v4", "A100 SXM4 80GB", 8},
    MachineType{"azure", "Standard_NC40ads_H100_v5", "H100 NVL 94GB", 1},
    MachineType{"azure", "Standard_NCC40ads_H100_v5", "H100 NVL 94GB", 1},
    MachineType{"azure", "Standard_NC80adis_H100_v5", "H100 NVL 94GB", 2},
    MachineType{"azure", "Standard_ND96isr_H100_v5", "H100 SXM5 80GB", 8},
    MachineType{"azure", "Standard_ND96isr_H200_v5", "H200 SXM 141GB", 8},
    MachineType{"azure", "Standard_ND96isr_MI300X_v5", "MI300X", 8},
    MachineType{"gcp", "a2-highgpu-", "A100 SXM4 40GB"},
    MachineType{"gcp", "a2-megagpu-", "A100 SXM4 40GB"},
    MachineType{"gcp", "a2-ultragpu-", "A100 SXM4 80GB"},
    MachineType{"gcp", "a3-highgpu-", "H100 SXM5 80GB"},
    MachineType{"gcp", "a3-megagpu-", "H100 SXM5 80GB"},
    MachineType{"gcp", "a3-ultragpu-", "H200 SXM 141GB"},
    MachineType{"gcp", "a4-highgpu-", "B200 SXM 180GB"},
    MachineType{"gcp", "g2-standard-", "L4"},
    MachineType{"oci", "BM.GPU4.8", "A100 SXM4 40GB", 8},
    MachineType{"oci", "BM.GPU.A100-v2.8", "A100 SXM4 80GB", 8},
    MachineType{"oci", "BM.GPU.H100.8", "H100 SXM5 80GB", 8},
    MachineType{"oci", "BM.GPU3.8", "V100 SXM2 16GB", 8},
    MachineType{"oci", "VM.GPU3.", "V100 SXM2 16GB"},
};

// Google's documentation of accelerator-optimised machines; sizes in GiB (it writes GB).
constexpr std::array kGoogleHosts{
    GoogleHost{"a2-highgpu-1g", "A2", "A100", 1, 12, 85},
    GoogleHost{"a2-highgpu-2g", "A2", "A100", 2, 24, 170},
    GoogleHost{"a2-highgpu-4g", "A2", "A100", 4, 48, 340},
    GoogleHost{"a2-highgpu-8g", "A2", "A100", 8, 96, 680},
    GoogleHost{"a2-megagpu-16g", "A2", "A100", 16, 96, 1360},
    GoogleHost{"a2-ultragpu-1g", "A2", "A100-80GB", 1, 12, 170},
    GoogleHost{"a2-ultragpu-2g", "A2", "A100-80GB", 2, 24, 340},
    GoogleHost{"a2-ultragpu-4g", "A2", "A100-80GB", 4, 48, 680},
    GoogleHost{"a2-ultragpu-8g", "A2", "A100-80GB", 8, 96, 1360},
    GoogleHost{"a3-highgpu-1g", "A3", "H100", 1, 26, 234},
    GoogleHost{"a3-highgpu-2g", "A3", "H100", 2, 52, 468},
    GoogleHost{"a3-highgpu-4g", "A3", "H100", 4, 104, 936},
    GoogleHost{"a3-highgpu-8g", "A3", "H100", 8, 208, 1872},
    GoogleHost{"a3-megagpu-8g", "A3Plus", "H100-MEGA", 8, 208, 1872},
    GoogleHost{"a3-ultragpu-8g", "A3 Ultra", "H200", 8, 224, 2952},
    GoogleHost{"a4-highgpu-8g", "A4", "B200", 8, 224, 3968},
    GoogleHost{"g2-standard-4", "G2", "L4", 1, 4, 16},
    GoogleHost{"g2-standard-8", "G2", "L4", 1, 8, 32},
    GoogleHost{"g2-standard-12", "G2", "L4", 1, 12, 48},
    GoogleHost{"g2-standard-16", "G2", "L4", 1, 16, 64},
    GoogleHost{"g2-standard-24", "G2", "L4", 2, 24, 96},
    GoogleHost{"g2-standard-32", "G2", "L4", 1, 32, 128},
    GoogleHost{"g2-standard-48", "G2", "L4", 4, 48, 192},
    GoogleHost{"g2-standard-96", "G2", "L4", 8, 96, 384},
};

// Google's documentation of GPUs on N1 machines. Of the P100 the smaller of two limits, which differ
// by zone. Memory is limited too, but no N1 size within these has more.
struct N1Limit {
  std::string_view card;
  std::int64_t gpus, vcpus;
};
constexpr std::array kN1Limits{
    N1Limit{"T4", 1, 48},   N1Limit{"T4", 2, 48},   N1Limit{"T4", 4, 96},   N1Limit{"P4", 1, 24},
    N1Limit{"P4", 2, 48},   N1Limit{"P4", 4, 96},   N1Limit{"V100", 1, 12}, N1Limit{"V100", 2, 24},
    N1Limit{"V100", 4, 48}, N1Limit{"V100", 8, 96}, N1Limit{"P100", 1, 16}, N1Limit{"P100", 2, 32},
    N1Limit{"P100", 4, 64}, N1Limit{"K80", 1, 8},   N1Limit{"K80", 2, 16},  N1Limit{"K80", 4, 32},
    N1Limit{"K80", 8, 64},
};

}  // namespace

std::optional<MachineType> machine_type(std::string_view platform, std::string_view type) {
  if (type.ends_with("_Promo")) type.remove_suffix(6);
  for (const MachineType& entry : kTypes) {
    const bool family = entry.name.ends_with('.') || entry.name.ends_with('-');
    if (entry.platform == platform && (family ? type.starts_with(entry.name) : type == entry.name)) return entry;
  }
  return std::nullopt;
}

std::span<const GoogleHost> google_hosts() { return kGoogleHosts; }

const GoogleHost* google_host(std::string_view type) {
  const auto found = std::ranges::find(kGoogleHosts, type, &GoogleHost::type);
  return found == kGoogleHosts.end() ? nullptr : &*found;
}

std::int64_t most_n1_vcpus(std::string_view card, std::int64_t gpus) {
  for (const N1Limit& limit : kN1Limits)
    if (limit.card == card && limit.gpus == gpus) return limit.vcpus;
  return 0;
}

}  // namespace gpuplan::detail

//! A small simulated machine: an NVMe disk with two partitions, LVM over md, NFS, memory.

use fathom_host::Host;
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

pub struct Machine {
    folder: TempDir,
}

const MOUNTS: &str = "\
25 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw
26 25 259:2 / /data rw - xfs /dev/nvme0n1p2 rw
27 25 0:26 / /dev/shm rw - tmpfs tmpfs rw
28 25 0:60 / /mnt/nas rw - nfs nas:/vol rw,vers=3,nconnect=2
29 25 0:61 / /mnt/lost rw - nfs nas:/lost rw,vers=3
30 25 0:70 / /mnt/share rw - cifs //files/share rw
31 25 0:71 / /tank rw - zfs tank/data rw
32 25 0:72 / /merged rw - overlay overlay rw,lowerdir=/l,upperdir=/data/upper,workdir=/data/work
33 25 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
34 25 0:73 / /memory/merged rw - overlay overlay rw,lowerdir=/l,upperdir=/dev/shm/u,workdir=/w
";

pub const DISKSTATS: &str = "\
 259 0 nvme0n1 1000 0 8000 500 2000 0 16000 900 0 700 1400
 259 1 nvme0n1p1 400 0 3200 200 500 0 4000 200 0 300 400
 259 2 nvme0n1p2 600 0 4800 300 1500 0 12000 700 0 400 1000
";

const MOUNTSTATS: &str = "\
device nas:/vol mounted on /mnt/nas with fstype nfs statvers=1.1
\topts:\trw,vers=3,nconnect=2
\tage:\t100
\tbytes:\t0 0 0 0 1000000 0 0 0
\txprt:\ttcp 812 1 1 0 5 500 499 1 900 20 32 100 200
\txprt:\ttcp 813 1 1 0 5 500 499 1 900 20 32 100 200
\t        READ: 100 100 0 10000 1000000 10 300 400 0
";

impl Machine {
    pub fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        machine.write("proc/self/mountinfo", MOUNTS);
        machine.write("proc/self/mountstats", MOUNTSTATS);
        machine.write("proc/self/cgroup", "0::/ours\n");
        machine.write("proc/diskstats", DISKSTATS);
        machine.write("sys/fs/cgroup/ours/io.max", "259:0 riops=3000 wiops=max\n");
        machine.write("sys/fs/cgroup/theirs/io.max", "259:0 wbps=1000000\n253:9 riops=7\n");
        machine.device("pci0/nvme0/nvme0n1", "259:0", &[("size", "1000")]);
        for (name, number, part) in [("nvme0n1p1", "259:1", "1"), ("nvme0n1p2", "259:2", "2")] {
            let folder = format!("pci0/nvme0/nvme0n1/{name}");
            machine.device(&folder, number, &[("size", "400"), ("partition", part)]);
        }
        machine.device("virtual/block/sdx", "8:16", &[("size", "9"), ("queue/iostats", "0")]);
        machine
    }

    pub fn host(&self) -> Host {
        Host::at(self.folder.path())
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn device(&self, folder: &str, number: &str, files: &[(&str, &str)]) {
        let own = format!("sys/devices/{folder}");
        self.write(&format!("{own}/dev"), number);
        for (file, text) in files {
            self.write(&format!("{own}/{file}"), text);
        }
        let name = folder.rsplit('/').next().unwrap();
        for link in [format!("sys/class/block/{name}"), format!("sys/dev/block/{number}")] {
            let link = self.folder.path().join(link);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(format!("../../../{own}"), link).unwrap();
        }
    }
}

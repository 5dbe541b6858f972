//! A network namespace with a link to it, for tests of what a network does.

use crate::devices::{root, tool};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Links of this process so far: each has addresses of its own.
static LINKS: AtomicU8 = AtomicU8::new(0);

/// A network of its own, and the link to it, whose addresses are of a network for documentation.
pub struct Network {
    pub name: String,
    /// This end of the link.
    pub near: Ipv4Addr,
    /// The end in the namespace.
    pub far: Ipv4Addr,
}

impl Network {
    pub fn start() -> Result<Network, String> {
        root()?;
        let link = LINKS.fetch_add(1, Relaxed) % 64;
        let name = format!("fm{}-{link}", std::process::id());
        let address = |end: u8| Ipv4Addr::new(198, 51, 100, 4 * link + end);
        let network = Network { name: name.clone(), near: address(1), far: address(2) };
        let (near, far) = (network.near_device(), network.far_device());
        tool("ip", &["netns", "add", &name])?;
        tool("ip", &["link", "add", &near, "type", "veth", "peer", "name", &far, "netns", &name])?;
        tool("ip", &["addr", "add", &format!("{}/30", network.near), "dev", &near])?;
        tool("ip", &["link", "set", &near, "up"])?;
        let address = format!("{}/30", network.far);
        tool("ip", &["-n", &name, "addr", "add", &address, "dev", &far])?;
        tool("ip", &["-n", &name, "link", "set", &far, "up"])?;
        tool("ip", &["-n", &name, "link", "set", "lo", "up"])?;
        Ok(network)
    }

    fn near_device(&self) -> String {
        format!("{}n", self.name)
    }

    fn far_device(&self) -> String {
        format!("{}f", self.name)
    }

    pub fn cut(&self) {
        tool("ip", &["link", "set", &self.near_device(), "down"]).unwrap();
    }

    /// Has what leaves the namespace wait for so long.
    pub fn delay(&self, us: u32) -> Result<(), String> {
        let (device, delay) = (self.far_device(), format!("{us}us"));
        let args = ["qdisc", "replace", "dev", &device, "root", "netem", "delay", &delay];
        tool("tc", &[&["-n", &self.name][..], &args].concat()).map(drop)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let pids = tool("ip", &["netns", "pids", &self.name]).unwrap_or_default();
        for pid in pids.split_whitespace() {
            let _ = tool("kill", &["-9", pid]);
        }
        let _ = tool("ip", &["link", "del", &self.near_device()]);
        let _ = tool("ip", &["netns", "del", &self.name]);
    }
}

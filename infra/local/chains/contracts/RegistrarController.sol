// SPDX-License-Identifier: MIT
// Replica of Basenames' UpgradeableRegistrarController with its price oracle: sells names for ETH.
pragma solidity 0.8.37;

interface IRegistrar {
    function isAvailable(uint256 id) external view returns (bool);
    function nameExpires(uint256 id) external view returns (uint256);
    function registerWithRecord(uint256 id, address owner, uint256 duration, address resolver, uint64 ttl)
        external
        returns (uint256 expires);
    function renew(uint256 id, uint256 duration) external returns (uint256 expires);
}

interface IResolver {
    function multicallWithNodeCheck(bytes32 node, bytes[] calldata data) external returns (bytes[] memory);
}

interface IReverse {
    function setNameForAddr(address account, address owner, address resolver, string memory name) external returns (bytes32);
}

interface IEnsReverse {
    function setNameForAddrWithSignature(
        address account,
        uint256 signatureExpiry,
        string memory name,
        uint256[] memory coinTypes,
        bytes memory signature
    ) external;
}

contract RegistrarController {
    struct RegisterRequest {
        string name;
        address owner;
        uint256 duration;
        address resolver;
        bytes[] data;
        bool reverseRecord;
        uint256[] coinTypes;
        uint256 signatureExpiry;
        bytes signature;
    }

    struct Price {
        uint256 base;
        uint256 premium;
    }

    bytes32 constant ETH_NODE = keccak256(abi.encodePacked(bytes32(0), keccak256("eth")));
    bytes32 constant BASE_ETH_NODE = keccak256(abi.encodePacked(ETH_NODE, keccak256("base")));
    uint256 constant GRACE_PERIOD = 90 days;
    uint256 constant START_PREMIUM = 500 ether;
    uint256 constant PREMIUM_DAYS = 28;
    uint256 public constant MIN_REGISTRATION_DURATION = 365 days;
    uint256 public constant MIN_NAME_LENGTH = 3;

    IRegistrar private registrar;
    IReverse public reverseRegistrar;
    address private ensReverseRegistrar;
    address private legacyResolver;

    event ETHPaymentProcessed(address indexed payee, uint256 price);
    event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires);
    event NameRenewed(string name, bytes32 indexed label, uint256 expires);

    error NameNotValid(string name);
    error DurationTooShort(uint256 duration);
    error ResolverRequiredWhenDataSupplied();
    error InsufficientValue();
    error TransferFailed();

    /// Names the contracts that a sale writes to.
    function init(address registrar_, address reverse, address ensReverse, address legacyResolver_) external {
        require(address(registrar) == address(0));
        registrar = IRegistrar(registrar_);
        reverseRegistrar = IReverse(reverse);
        ensReverseRegistrar = ensReverse;
        legacyResolver = legacyResolver_;
    }

    /// Looks at the length alone: nothing on the chain normalises a name.
    function valid(string memory name) public pure returns (bool) {
        return lengthOf(name) >= MIN_NAME_LENGTH;
    }

    function available(string memory name) external view returns (bool) {
        return valid(name) && registrar.isAvailable(tokenOf(name));
    }

    function rentPrice(string memory name, uint256 duration) public view returns (Price memory) {
        uint256 expires = registrar.nameExpires(tokenOf(name));
        return Price(weiPerSecond(lengthOf(name)) * duration, expires == 0 ? 0 : premiumAfter(expires + GRACE_PERIOD));
    }

    function registerPrice(string memory name, uint256 duration) public view returns (uint256) {
        Price memory price = rentPrice(name, duration);
        return price.base + price.premium;
    }

    function register(RegisterRequest calldata request) external payable {
        if (request.data.length > 0 && request.resolver == address(0)) revert ResolverRequiredWhenDataSupplied();
        if (!valid(request.name)) revert NameNotValid(request.name);
        if (request.duration < MIN_REGISTRATION_DURATION) revert DurationTooShort(request.duration);
        uint256 price = registerPrice(request.name, request.duration);
        if (msg.value < price) revert InsufficientValue();
        emit ETHPaymentProcessed(msg.sender, price);
        sell(request);
        refund(price);
    }

    function renew(string calldata name, uint256 duration) external payable {
        uint256 price = rentPrice(name, duration).base;
        if (msg.value < price) revert InsufficientValue();
        uint256 expires = registrar.renew(tokenOf(name), duration);
        refund(price);
        emit NameRenewed(name, keccak256(bytes(name)), expires);
    }

    function setReverseRecord(string calldata name, uint256 expiry, uint256[] calldata coinTypes, bytes calldata signature)
        external
    {
        nameSender(name, expiry, coinTypes, signature);
    }

    function sell(RegisterRequest calldata request) private {
        bytes32 label = keccak256(bytes(request.name));
        uint256 expires = registrar.registerWithRecord(uint256(label), request.owner, request.duration, request.resolver, 0);
        if (request.data.length > 0) {
            bytes32 node = keccak256(abi.encodePacked(BASE_ETH_NODE, label));
            IResolver(request.resolver).multicallWithNodeCheck(node, request.data);
        }
        if (request.reverseRecord) {
            nameSender(request.name, request.signatureExpiry, request.coinTypes, request.signature);
        }
        emit NameRegistered(request.name, label, request.owner, expires);
    }

    /// The reverse record is the payer's, not the owner's: a sponsor who asks for it names itself.
    function nameSender(string calldata name, uint256 expiry, uint256[] calldata coinTypes, bytes calldata signature) private {
        string memory full = string.concat(name, ".base.eth");
        reverseRegistrar.setNameForAddr(msg.sender, msg.sender, legacyResolver, full);
        if (expiry != 0 && coinTypes.length > 0 && signature.length > 0) {
            IEnsReverse(ensReverseRegistrar).setNameForAddrWithSignature(msg.sender, expiry, full, coinTypes, signature);
        }
    }

    function refund(uint256 price) private {
        if (msg.value == price) return;
        (bool sent,) = payable(msg.sender).call{value: msg.value - price}("");
        if (!sent) revert TransferFailed();
    }

    function tokenOf(string memory name) private pure returns (uint256) {
        return uint256(keccak256(bytes(name)));
    }

    /// About 0.1, 0.01, 0.001 and 0.0001 ETH a year for 3, 4, 5 to 9 and 10 or more characters.
    function weiPerSecond(uint256 length) private pure returns (uint256) {
        if (length >= 10) return 3_168_087;
        if (length >= 5) return 31_680_878;
        return length == 4 ? 316_808_781 : 3_168_087_814;
    }

    /// 500 ETH at the end of the grace period, halving daily, shifted down so that it reaches 0 after 28 days.
    function premiumAfter(uint256 released) private view returns (uint256) {
        if (released > block.timestamp) return 0;
        uint256 elapsed = block.timestamp - released;
        if (elapsed >= PREMIUM_DAYS * 1 days) return 0;
        uint256 premium = START_PREMIUM >> (elapsed / 1 days);
        uint256 fraction = ((elapsed % 1 days) << 16) / 1 days;
        uint256 factor = 0.5e18;
        for (uint256 bit = 1 << 15; bit > 0; bit >>= 1) {
            factor = squareRoot(factor * 1e18);
            if (fraction & bit != 0) premium = premium * factor / 1e18;
        }
        uint256 floor = START_PREMIUM >> PREMIUM_DAYS;
        return premium > floor ? premium - floor : 0;
    }

    function squareRoot(uint256 square) private pure returns (uint256 root) {
        root = square;
        for (uint256 next = (square + 1) / 2; next < root; next = (root + square / root) / 2) root = next;
    }

    /// Counts code points: every byte that does not continue a UTF-8 sequence.
    function lengthOf(string memory text) private pure returns (uint256 length) {
        bytes memory raw = bytes(text);
        for (uint256 index = 0; index < raw.length; index++) {
            if (uint8(raw[index]) & 0xc0 != 0x80) length++;
        }
    }
}
